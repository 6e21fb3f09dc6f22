import { describe, expect, it, vi } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import { ALGORITHMS, type Tier } from '../../src/platform/gate.js';
import { isOnCluster, keysLike } from '../support/redis.js';
import { counterWorld, unreachable } from './counter-store-world.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const world = counterWorld();

describe('how long counters live', () => {
  const lives: [string, Partial<Tier>, number][] = [
    ['a fixed window: the window and a second', { algorithm: 'fixed_window' }, 61],
    ['a log: the window and a second', { algorithm: 'sliding_window_log' }, 61],
    ['a sliding counter: twice the window', { algorithm: 'sliding_window_counter' }, 120],
    [
      'a token bucket: until it is full, and 10 s',
      { algorithm: 'token_bucket', limit: 30, perWindow: 10 },
      190,
    ],
    [
      'a leaky bucket: until it is empty, and 10 s',
      { algorithm: 'leaky_bucket', limit: 5, perWindow: 10 },
      40,
    ],
  ];

  it.each(lives)('%s', async (_, given, seconds) => {
    const use = aUse('u:alice', aTier(given));
    await world.store.charge([use]);
    const left = await world.redis.client.pttl(use.key);
    expect(left).toBeGreaterThan((seconds - 5) * 1_000);
    expect(left).toBeLessThanOrEqual(seconds * 1_000);
  });

  it('a window’s life is set when it begins, and later charges do not prolong it', async () => {
    for (const algorithm of ['fixed_window', 'sliding_window_counter'] as const) {
      const use = aUse('u:alice', aTier({ algorithm, counterId: algorithm }));
      await world.store.charge([use]);
      await world.redis.client.pexpire(use.key, 30_000);
      const { receipt } = await world.store.charge([use]);
      world.store.refund(receipt);
      await vi.waitFor(async () => expect(await world.usedBy(use)).toBe(1), 10_000);
      expect(await world.redis.client.pttl(use.key)).toBeLessThanOrEqual(30_000);
      world.pass(60_000);
      await world.store.charge([use]);
      expect(await world.redis.client.pttl(use.key)).toBeGreaterThan(30_000);
    }
  });

  it.each(ALGORITHMS)(
    'looking at a counter, and being refused by it, leaves no key: %s',
    async (algorithm) => {
      const use = aUse('u:alice', aTier({ algorithm }), 11);
      expect(await world.store.peek([use])).toEqual([expect.objectContaining({ used: 0, remaining: 10 })]);
      expect((await world.store.charge([use])).admitted).toBe(false);
      expect(await keysLike(world.redis.client, '*')).toEqual([]);
    },
  );
});

describe('when a refused charge may be tried again', () => {
  it.each(ALGORITHMS)('it is admitted at that millisecond, and not one before: %s', async (algorithm) => {
    const tier = aTier({ algorithm, perWindow: 7 });
    for (const charge of [4, 3, 2, 1]) {
      await world.store.charge([aUse('u:alice', tier, charge)]);
      world.pass(7_000);
    }
    const use = aUse('u:alice', tier, 9);
    const { readings } = await world.store.charge([use]);
    const { retryAfterMs } = readings[0]!;
    world.pass(retryAfterMs - 1);
    expect((await world.store.charge([use])).admitted).toBe(false);
    world.pass(1);
    expect((await world.store.charge([use])).admitted).toBe(true);
  });

  it.each(ALGORITHMS)('is never, for a charge above the limit: %s', async (algorithm) => {
    const { readings } = await world.store.charge([aUse('u:alice', aTier({ algorithm }), 11)]);
    expect(readings[0]!.retryAfterMs).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('charges of one moment', () => {
  it('travel together, 64 to a call, and each gets its own answer', async () => {
    const run = vi.spyOn(world.redis, 'run');
    const tier = aTier({ limit: 100 });
    const outcomes = await Promise.all(
      Array.from({ length: 130 }, (_, index) =>
        world.store.charge([aUse(`u:${index % 2}`, tier, 1 + (index % 2))]),
      ),
    );
    // On a Cluster the two owners of each batch are a call each.
    expect(run).toHaveBeenCalledTimes(isOnCluster ? 6 : 3);
    const used = (parity: number) =>
      outcomes.filter((_, index) => index % 2 === parity).map(({ readings }) => readings[0]!.used);
    expect(used(0)).toEqual(Array.from({ length: 65 }, (_, index) => index + 1));
    expect(used(1).slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, index) => 2 * index + 2));
    expect(used(1).slice(50)).toEqual(Array.from({ length: 15 }, () => 100));
  });

  it('are all rejected when the store cannot be reached', async () => {
    const away = createCounterStore(unreachable());
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => away.charge([aUse('u:a', aTier())])));
    for (const outcome of outcomes)
      expect(outcome).toEqual({ status: 'rejected', reason: new StoreUnreachable('timeout') });
    await expect(away.peek([aUse('u:a', aTier())])).rejects.toThrow(StoreUnreachable);
    await away.close();
  });

  it('go out before the store closes, and get their answers', async () => {
    const last = world.open({ ownClock: true });
    const charged = last.charge([aUse('u:alice', aTier())]);
    await last.close();
    expect((await charged).admitted).toBe(true);
  });

  it('that hold nothing ask nobody', async () => {
    const away = createCounterStore(unreachable());
    expect(await away.charge([])).toEqual({ admitted: true, readings: [], violated: -1, receipt: [] });
    expect(await away.peek([])).toEqual([]);
  });
});

it('counters follow Redis’s own clock', async () => {
  const live = world.open({ ownClock: true });
  const before = Date.now();
  const { readings } = await live.charge([aUse('u:alice', aTier({ algorithm: 'sliding_window_log' }))]);
  expect(readings[0]!.resetAt).toBeGreaterThanOrEqual(before + 60_000 - 1_000);
  expect(readings[0]!.resetAt).toBeLessThanOrEqual(Date.now() + 60_000 + 1_000);
  await live.close();
});

it('owners with braces, colons and line breaks in their names keep their own counters', async () => {
  const strange = [
    'u:a',
    'u:a}',
    'u:{a}',
    'u:a}:b',
    'u:a\nb',
    'u:a:b',
    'u:}{',
    'n:a',
    'u:\r\n$1',
    'u:',
    'u:\0',
  ];
  const uses = strange.map((owner, index) => aUse(owner, aTier({ limit: 100 }), index + 1));
  const charges = await Promise.all(uses.map((use) => world.store.charge([use])));
  expect(await Promise.all(uses.map(world.usedBy))).toEqual(strange.map((_, index) => index + 1));
  for (const { receipt } of charges.slice(1)) world.store.refund(receipt);
  await vi.waitFor(
    async () =>
      expect(await Promise.all(uses.slice(1).map(world.usedBy))).toEqual(uses.slice(1).map(() => 0)),
    15_000,
  );
  expect(await world.usedBy(uses[0]!)).toBe(1);
});
