import { expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createAppender } from '../../src/platform/event-log/append.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';

const ids = uuidV7Ids(systemClock);
const metadata = { correlationId: 'story', causationId: 'test' };

/** How many commands each call to the database had, once the first call of the process has ended. */
async function callsOf(events: readonly number[], poolSize = 10): Promise<number[]> {
  const calls: number[] = [];
  const query = async ({ values }: { values: string[] }) => {
    // An array of ids, as Postgres reads it, or the id of one that goes alone.
    const { length } = values[1]!.split(',');
    calls.push(length);
    const refusal = { outcome: 'refused', result: { refuse: 'SEEN' } };
    return { rows: Array.from({ length }, () => refusal) };
  };
  const postgres = { pool: { query, options: { max: poolSize } } } as unknown as Postgres;
  const append = createAppender({ postgres, ids, onAppended: () => undefined });
  const appendTo = (streamId: string, count: number) => {
    const added = Array.from({ length: count }, () => ({ type: 'Noted', data: {} }));
    return append({ metadata, appends: [{ streamId, expected: 'any', events: added }] });
  };
  await appendTo('First', 1);
  await Promise.all(events.map((count, n) => appendTo(`S-${n}`, count)));
  return calls.slice(1);
}

it.each([
  ['small commands go together, 200 at most', Array<number>(430).fill(1), [200, 200, 30]],
  ['those of a crowd are divided between two calls', Array<number>(64).fill(1), [32, 32]],
  ['those of a small crowd are not', Array<number>(47).fill(1), [47]],
  ['large ones go together as long as they have 1,000 events', Array<number>(25).fill(100), [10, 10, 5]],
  ['one that has more goes alone', [1, 3_000, 999, 1, 1], [1, 1, 2, 1]],
])('%s', async (_, events, calls) => {
  expect(await callsOf(events)).toEqual(calls);
});

it('a pool of two has a connection left for reads', async () => {
  expect(await callsOf(Array<number>(64).fill(1), 2)).toEqual([64]);
});
