import { expect, it } from 'vitest';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import { CHECKS_A_ROUND, createNamedCharges } from '../../src/domains/limits/named-charges.js';

const window = { id: 'only', max: 1, windowSeconds: 1 };
const checks = (count: number, name: string, userId = 'alice') =>
  Array.from({ length: count }, (_, index) => ({ userId, name: `${name}-${index}`, windows: [window] }));

/** A Redis that refuses nothing, and answers when it is told to. */
function heldRedis(cluster = false) {
  const calls: { names: readonly (string | number)[]; answer: () => void }[] = [];
  const redis: GuardedRedis = {
    cluster,
    run: (_, keys, args) => {
      const { promise, resolve } = Promise.withResolvers<number[]>();
      calls.push({ names: args.slice(-keys.length), answer: () => resolve([]) });
      return promise;
    },
    close: () => undefined,
  };
  return { redis, calls };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

it('checks of one tick travel together', async () => {
  const { redis, calls } = heldRedis();
  const charges = createNamedCharges(redis);
  const answers = Promise.all([
    charges.charge(checks(1, 'a')),
    charges.charge(checks(2, 'b')),
    charges.charge([]),
  ]);
  await nextTurn();
  expect(calls.map(({ names }) => names)).toEqual([['a-0', 'b-0', 'b-1']]);
  calls[0]!.answer();
  expect((await answers).map((outcomes) => outcomes.length)).toEqual([1, 2, 0]);
});

it('no more than two rounds are under way, so that none is late for waiting in Redis', async () => {
  const { redis, calls } = heldRedis();
  const charges = createNamedCharges(redis);
  const answer = charges.charge(checks(5 * CHECKS_A_ROUND, 'bulk'));
  for (let round = 0; round < 5; round += 1) {
    await nextTurn();
    expect(calls).toHaveLength(Math.min(5, round + 2));
    expect(calls[round]!.names).toHaveLength(CHECKS_A_ROUND);
    calls[round]!.answer();
  }
  expect(await answer).toHaveLength(5 * CHECKS_A_ROUND);
  expect(calls).toHaveLength(5);
  expect(calls[4]!.names.at(-1)).toBe(`bulk-${5 * CHECKS_A_ROUND - 1}`);
});

it('a single check does not wait behind a thousand of another call', async () => {
  const { redis, calls } = heldRedis();
  const charges = createNamedCharges(redis);
  const bulk = charges.charge(checks(1_000, 'bulk'));
  await nextTurn();
  const single = charges.charge(checks(1, 'single'));
  await nextTurn();
  calls[0]!.answer();
  await nextTurn();
  expect(calls[2]!.names[0]).toBe('single-0');
  calls[2]!.answer();
  expect(await single).toEqual([{ kind: 'admitted' }]);
  for (const place of [1, 3]) {
    calls[place]!.answer();
    await nextTurn();
  }
  expect(await bulk).toHaveLength(1_000);
});

it('on a Cluster each user’s checks are a call of their own', async () => {
  const { redis, calls } = heldRedis(true);
  const charges = createNamedCharges(redis);
  const answer = charges.charge([...checks(2, 'a'), ...checks(1, 'b', 'bob'), ...checks(1, 'c')]);
  await nextTurn();
  expect(calls.map(({ names }) => names)).toEqual([['a-0', 'a-1', 'c-0'], ['b-0']]);
  for (const call of calls) call.answer();
  expect(await answer).toHaveLength(4);
});
