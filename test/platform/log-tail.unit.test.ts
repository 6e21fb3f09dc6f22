import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLogTail, type RecordedEvent } from '../../src/platform/event-log/index.js';

/** A log in memory that answers a little later, and counts how often it is asked. */
function slowLog(length: number) {
  const events: RecordedEvent[] = [];
  const log = {
    asked: 0,
    grow(by: number) {
      for (let i = 0; i < by; i += 1) {
        const globalPosition = events.length + 1;
        const type = globalPosition % 3 === 0 ? 'Rare' : 'Common';
        events.push({ globalPosition, type } as RecordedEvent);
      }
    },
    head: async () => events.length,
    async readAll(after: number, limit: number, { types }: { types?: readonly string[] } = {}) {
      log.asked += 1;
      const seen = events.slice(after, after + limit);
      await new Promise((resolve) => setImmediate(resolve));
      return {
        events: types ? seen.filter(({ type }) => types.includes(type)) : seen,
        through: Math.max(after, Math.min(after + limit, after + seen.length)),
        isLast: seen.length < limit,
      };
    },
  };
  log.grow(length);
  return log;
}

const positions = (events: readonly RecordedEvent[]) => events.map(({ globalPosition }) => globalPosition);

it('readers who start anywhere and follow a growing log each get all that they want, once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(50),
      fc.array(fc.record({ from: fc.nat(50), limit: fc.integer({ min: 1, max: 20 }) }), { minLength: 1 }),
      fc.array(fc.nat(30), { maxLength: 10 }),
      async (length, readers, growth) => {
        const log = slowLog(length);
        const tail = createLogTail(log);
        const total = length + growth.reduce((sum, by) => sum + by, 0);
        const following = readers.map(async ({ from, limit }) => {
          const got: number[] = [];
          let position = Math.min(from, length);
          const start = position;
          while (position < total) {
            const { events, through } = await tail.readAll(position, limit, { types: ['Rare'] });
            expect(through - position).toBeLessThanOrEqual(limit);
            got.push(...positions(events));
            position = through;
            await new Promise((resolve) => setImmediate(resolve));
          }
          const wanted = Array.from({ length: total }, (_, index) => index + 1);
          expect(got).toEqual(wanted.filter((at) => at > start && at % 3 === 0));
        });
        for (const by of growth) {
          log.grow(by);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(following);
      },
    ),
  );
});

it('what many ask for at once is read once', async () => {
  const log = slowLog(10);
  const tail = createLogTail(log);
  await tail.readAll(10, 100, { types: ['Rare'] });
  log.grow(6);
  const before = log.asked;
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => tail.readAll(10, 100, { types: ['Rare'] })),
  );
  expect(log.asked).toBe(before + 1);
  for (const { events, through } of answers) {
    expect(positions(events)).toEqual([12, 15]);
    expect(through).toBe(16);
  }
});

it('a follower that is woken while a read is on its way hears of what that read came too early for', async () => {
  const log = slowLog(10);
  const tail = createLogTail(log);
  await tail.readAll(10, 100, { types: ['Common'] });
  const early = tail.readAll(10, 100, { types: ['Common'] });
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.asked).toBe(2);
  log.grow(1);
  const late = tail.readAll(10, 100, { types: ['Common'] });
  expect(positions((await early).events)).toEqual([]);
  expect(positions((await late).events)).toEqual([11]);
});

it('that a window is the last one is never said by a read that began before the question', async () => {
  const log = slowLog(10);
  const tail = createLogTail(log);
  const types = ['Common', 'Rare'];
  await tail.readAll(10, 100, { types });
  log.grow(1);
  const before = log.asked;
  const early = tail.readAll(10, 100, { types });
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.asked).toBe(before + 1);
  log.grow(1);
  const late = tail.readAll(10, 100, { types });
  expect(await early).toMatchObject({ through: 11, isLast: true });
  expect(await late).toMatchObject({ through: 11, isLast: false });
  expect(await tail.readAll(11, 100, { types })).toMatchObject({ through: 12, isLast: true });
});

it('what a failover took from the log, and what has come in its place, is read once a reader has connected anew', async () => {
  let history = ['a1', 'a2', 'a3'];
  let answering = Promise.resolve();
  const asked: number[] = [];
  const log = {
    head: async () => history.length,
    async readAll(after: number, limit: number) {
      asked.push(after);
      const all = history.map((type, n) => ({ globalPosition: n + 1, type }) as RecordedEvent);
      const events = all.slice(after, after + limit);
      await answering;
      return { events, through: after + events.length, isLast: events.length < limit };
    },
  };
  const tail = createLogTail(log);
  const readFrom = async (position: number): Promise<string[]> =>
    (await tail.readAll(position, 1_000, {})).events.map(({ type }) => type);
  await readFrom(3);
  history.push('lost4');
  expect(await readFrom(3)).toEqual(['lost4']);
  // One read is on its way while the server is replaced.
  history.push('lost5');
  const held = Promise.withResolvers<void>();
  answering = held.promise;
  const onItsWay = readFrom(4);
  await expect.poll(() => asked.at(-1)).toBe(4);
  history = ['a1', 'a2', 'a3', 'b4', 'b5', 'b6'];
  tail.forget();
  held.resolve();
  await onItsWay;
  expect(await readFrom(3)).toEqual(['b4', 'b5', 'b6']);
});
