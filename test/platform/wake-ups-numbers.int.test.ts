import { describe, it, type TestContext } from 'vitest';
import { parsePlace } from '../../src/platform/wake-ups/wake-up-numbers.js';
import type { StreamKeys } from '../../src/platform/wake-ups/wake-up-stream.js';
import { nextPayload, openWakeUps } from './wake-ups-world.js';

const LAST_ID = '18446744073709551615-18446744073709551615';

async function openPublisher(context: TestContext) {
  const { expect } = context;
  const { direct, hub, keys, proxy, publisher, readHasEnded } = await openWakeUps(context);
  return {
    direct,
    hub,
    keys,
    async pauseReader() {
      proxy.hold();
      await readHasEnded();
    },
    resumeReader: () => proxy.resume(),
    publish: (n: string) => publisher.publish([{ topics: ['news'], payload: { n } }]),
    batch: (count: number) =>
      publisher.publish(Array.from({ length: count }, (_, n) => ({ topics: ['news'], payload: { n } }))),
    async expectNumbered(count: number, { stream, counter: key }: StreamKeys): Promise<void> {
      const counter = parsePlace(await direct.get(key));
      const entries = (await direct.xrevrange(stream, '+', '-', 'COUNT', count)).reverse();
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
    const listener = await on.hub.listen('news');
    const keys = await on.keys();
    // The hub begins another stream as soon as it looks, and leaves this one as it is.
    await on.pauseReader();
    await on.direct.set(keys.counter, garbage);
    await on.batch(3);
    await on.expectNumbered(3, keys);
    on.resumeReader();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await on.publish('later');
    await expect(nextPayload(listener)).resolves.toEqual({ n: 'later' });
    await on.expectNumbered(1, await on.keys());
  });

  it.concurrent.for([
    ['takes no more entries', LAST_ID],
    ['takes two more entries', LAST_ID.replace(/5$/, '3')],
  ] as const)('begins the stream anew where it %s', async ([, lastId], context) => {
    const { expect } = context;
    const on = await openPublisher(context);
    const listener = await on.hub.listen('news');
    const keys = await on.keys();
    await on.pauseReader();
    await on.direct.xadd(keys.stream, lastId, 'w', JSON.stringify({ topics: ['other'], payload: {} }));
    await on.batch(5);
    expect(await on.direct.xlen(keys.stream)).toBe(5);
    await on.expectNumbered(5, keys);
    on.resumeReader();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await on.publish('later');
    await expect(nextPayload(listener)).resolves.toEqual({ n: 'later' });
  });

  it.concurrent('counts on where nothing is wrong', async (context) => {
    const { expect } = context;
    const on = await openPublisher(context);
    await on.hub.listen('news');
    const keys = await on.keys();
    await on.batch(2);
    const before = parsePlace(await on.direct.get(keys.counter))!;
    await on.batch(3);
    expect(parsePlace(await on.direct.get(keys.counter))).toEqual({ ...before, number: before.number + 3 });
    await on.expectNumbered(5, keys);
  });
});
