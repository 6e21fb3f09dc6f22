import { describe, it, type TestContext } from 'vitest';
import { parsePlace } from '../../src/platform/wake-up-numbers.js';
import { COUNTER, nextPayload, openWakeUps, STREAM } from './wake-ups-world.js';

const LAST_ID = '18446744073709551615-18446744073709551615';

async function openPublisher(context: TestContext) {
  const { expect } = context;
  const { direct, hub, publisher } = await openWakeUps(context);
  return {
    direct,
    hub,
    publish: (n: string) => publisher.publish([{ topics: ['news'], payload: { n } }]),
    batch: (count: number) =>
      publisher.publish(Array.from({ length: count }, (_, n) => ({ topics: ['news'], payload: { n } }))),
    async expectNumbered(count: number): Promise<void> {
      const counter = parsePlace(await direct.get(COUNTER));
      const entries = (await direct.xrevrange(STREAM, '+', '-', 'COUNT', count)).reverse();
      expect(entries.map(([, fields]) => parsePlace(fields[3]))).toEqual(
        Array.from({ length: count }, (_, index) => ({
          epoch: counter!.epoch,
          number: counter!.number - count + 1 + index,
        })),
      );
    },
  };
}

describe('a publisher that finds something else than it left', () => {
  it.concurrent.for<[string, string | Buffer]>([
    ['an epoch that is too long', `${'x'.repeat(65)}/1`],
    ['a number that a double cannot count on from', 'epoch/9007199254740993'],
    ['a number that is about to have too many digits', 'epoch/999999999999998'],
    ['a number of hundreds of digits', `epoch/${'9'.repeat(400)}`],
    ['no number', 'epoch/'],
    ['nothing', ''],
    ['bytes that are no text', Buffer.from([0xff, 0x00, 0x2f, 0x31])],
  ])('begins a new epoch where the counter has %s', async ([, garbage], context) => {
    const { expect } = context;
    const on = await openPublisher(context);
    const listener = on.hub.listen('news');
    await on.direct.set(COUNTER, garbage);
    await on.batch(3);
    await on.expectNumbered(3);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await on.publish('later');
    await expect(nextPayload(listener)).resolves.toEqual({ n: 'later' });
    await on.expectNumbered(4);
  });

  it.concurrent.for([
    ['takes no more entries', LAST_ID],
    ['takes two more entries', LAST_ID.replace(/5$/, '3')],
  ] as const)('begins the stream anew where it %s', async ([, lastId], context) => {
    const { expect } = context;
    const on = await openPublisher(context);
    const listener = on.hub.listen('news');
    await on.direct.xadd(STREAM, lastId, 'w', JSON.stringify({ topics: ['other'], payload: {} }));
    await on.batch(5);
    expect(await on.direct.xlen(STREAM)).toBe(5);
    await on.expectNumbered(5);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await on.publish('later');
    await expect(nextPayload(listener)).resolves.toEqual({ n: 'later' });
  });

  it.concurrent('counts on where nothing is wrong', async (context) => {
    const { expect } = context;
    const on = await openPublisher(context);
    await on.batch(2);
    const before = parsePlace(await on.direct.get(COUNTER))!;
    await on.batch(3);
    expect(parsePlace(await on.direct.get(COUNTER))).toEqual({ ...before, number: before.number + 3 });
    await on.expectNumbered(5);
  });
});
