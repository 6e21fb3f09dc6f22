import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import {
  type CounterStore,
  type CounterUse,
  StoreUnreachable,
} from '../../src/domains/limits/counters/store.js';
import { ALGORITHMS, type Tier } from '../../src/platform/gate.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { aUse, heldNoon, plainRedis } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

let server: TestRedis;
let redis: ReturnType<typeof plainRedis>;
let now: number;
let store: CounterStore;

beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  redis = plainRedis(server.url);
  await redis.client.flushall();
  now = heldNoon;
  store = createCounterStore(redis, () => now);
});
afterEach(() => store.close());

const keys = () => redis.client.keys('*');
const usedBy = async (use: CounterUse) => (await store.peek([use]))[0]!.used;

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
    await store.charge([use]);
    const left = await redis.client.pttl(use.key);
    expect(left).toBeGreaterThan((seconds - 5) * 1_000);
    expect(left).toBeLessThanOrEqual(seconds * 1_000);
  });

  it('a window’s life is set when it begins, and later charges do not prolong it', async () => {
    for (const algorithm of ['fixed_window', 'sliding_window_counter'] as const) {
      const use = aUse('u:alice', aTier({ algorithm, counterId: algorithm }));
      await store.charge([use]);
      await redis.client.pexpire(use.key, 30_000);
      const { receipt } = await store.charge([use]);
      store.refund(receipt);
      await vi.waitFor(async () => expect(await usedBy(use)).toBe(1), 10_000);
      expect(await redis.client.pttl(use.key)).toBeLessThanOrEqual(30_000);
      now += 60_000_000;
      await store.charge([use]);
      expect(await redis.client.pttl(use.key)).toBeGreaterThan(30_000);
    }
  });

  it.each(ALGORITHMS)(
    'looking at a counter, and being refused by it, leaves no key: %s',
    async (algorithm) => {
      const use = aUse('u:alice', aTier({ algorithm }), 11);
      expect(await store.peek([use])).toEqual([expect.objectContaining({ used: 0, remaining: 10 })]);
      expect((await store.charge([use])).admitted).toBe(false);
      expect(await keys()).toEqual([]);
    },
  );
});

describe('a refund', () => {
  it.each(ALGORITHMS)('never creates a counter that has gone: %s', async (algorithm) => {
    const use = aUse('u:alice', aTier({ algorithm }), 3);
    const { receipt } = await store.charge([use]);
    expect(await usedBy(use)).toBe(3);
    await redis.client.flushall();
    const last = createCounterStore(plainRedis(server.url), () => now);
    last.refund(receipt);
    await last.close();
    expect(await keys()).toEqual([]);
  });

  it.each(['fixed_window', 'sliding_window_counter'] as const)(
    'after its window has ended changes nothing: %s',
    async (algorithm) => {
      const use = aUse('u:alice', aTier({ algorithm }), 4);
      const { receipt } = await store.charge([use]);
      const kept = await redis.client.get(use.key);
      now += 60_000_000;
      const last = createCounterStore(plainRedis(server.url), () => now);
      last.refund(receipt);
      await last.close();
      expect(await redis.client.get(use.key)).toBe(kept);
    },
  );

  it.each(ALGORITHMS)(
    'of many charges, and of more than is there, ends at none in use: %s',
    async (algorithm) => {
      const use = aUse('u:alice', aTier({ algorithm }));
      const charges = await Promise.all(Array.from({ length: 10 }, () => store.charge([use])));
      for (const { receipt } of charges) store.refund(receipt);
      for (const { receipt } of charges) store.refund(receipt);
      await vi.waitFor(async () => expect(await usedBy(use)).toBe(0), 10_000);
      expect((await store.charge([{ ...use, charge: 10 }])).admitted).toBe(true);
    },
  );

  it.each(ALGORITHMS)('of a part refunds that part: %s', async (algorithm) => {
    const use = aUse('u:alice', aTier({ algorithm }), 8);
    const { receipt } = await store.charge([use]);
    store.refund(receipt.map((entry) => ({ ...entry, charge: 5 })));
    await vi.waitFor(async () => expect(await usedBy(use)).toBe(3), 10_000);
  });

  it('that cannot be sent is lost without a word', async () => {
    const { receipt } = await store.charge([aUse('u:alice', aTier())]);
    const away = createCounterStore(unreachable());
    away.refund(receipt);
    await expect(away.close()).resolves.toBeUndefined();
  });
});

describe('a charge with a name', () => {
  const named = (name: string, given: Partial<Tier> = {}): CounterUse => ({
    ...aUse('u:alice', aTier({ algorithm: 'sliding_window_log', limit: 2, counterId: 'names', ...given })),
    name,
  });

  it('is counted once in a window, also where the limit is reached by then', async () => {
    for (const name of ['one', 'two', 'one', 'two'])
      expect((await store.charge([named(name)])).admitted).toBe(true);
    expect((await store.charge([named('three')])).admitted).toBe(false);
    expect(await usedBy(named('one'))).toBe(2);
    now += 60_000_000;
    expect((await store.charge([named('one')])).readings).toMatchObject([{ used: 1 }]);
  });

  it('is not counted any more once it is refunded', async () => {
    const { receipt } = await store.charge([named('one')]);
    await store.charge([named('two')]);
    store.refund(receipt);
    await vi.waitFor(async () => expect(await usedBy(named('one'))).toBe(1), 10_000);
    expect((await store.charge([named('three')])).admitted).toBe(true);
  });

  it('that was counted before is not taken out by a refund of a charge that only found it', async () => {
    await store.charge([named('one')]);
    const { admitted, receipt } = await store.charge([named('one'), aUse('u:alice', aTier())]);
    expect(admitted).toBe(true);
    expect(receipt.map(({ key }) => key)).toEqual([aUse('u:alice', aTier()).key]);
    store.refund(receipt);
    await vi.waitFor(async () => expect(await usedBy(aUse('u:alice', aTier()))).toBe(0), 10_000);
    expect(await usedBy(named('one'))).toBe(1);
  });

  it('that was counted before stays counted where the rest of its charge is refused', async () => {
    const full = aTier({ limit: 1, scope: 'global', counterId: 'full' });
    await store.charge([named('one')]);
    await store.charge([aUse('global', full)]);
    const refused = await store.charge([named('one'), aUse('global', full)]);
    expect(refused).toMatchObject({ admitted: false, violated: 1, receipt: [] });
    expect(refused.readings.map(({ used, remaining }) => [used, remaining])).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(await usedBy(named('one'))).toBe(1);
  });

  it.each(['1e3', '0042', '0x10', ' 7 '])(
    'that looks like a number is refunded as it is: %j',
    async (name) => {
      const { receipt } = await store.charge([named(name)]);
      store.refund(receipt);
      await vi.waitFor(async () => expect(await usedBy(named(name))).toBe(0), 10_000);
    },
  );

  it('is refused by the window that stays full for the longest, and counted in none', async () => {
    const minute = { limit: 1, counterId: 'minute' };
    const hour = { limit: 1, counterId: 'hour', windowSeconds: 3_600 };
    await store.charge([named('one', minute), named('one', hour)]);
    const refused = await store.charge([
      named('two', minute),
      named('two', hour),
      named('two', { counterId: 'wide' }),
    ]);
    expect(refused).toMatchObject({ admitted: false, violated: 1, receipt: [] });
    expect(refused.readings.map(({ retryAfterMs }) => retryAfterMs)).toEqual([60_000, 3_600_000, 0]);
    expect(await usedBy(named('two', { counterId: 'wide' }))).toBe(0);
  });

  it('may travel in one call with charges that have none', async () => {
    const plain = aUse('u:bob', aTier());
    const outcomes = await Promise.all([
      store.charge([plain]),
      store.charge([named('one')]),
      store.charge([plain, named('one')]),
    ]);
    expect(outcomes.map(({ readings }) => readings.map(({ used }) => used))).toEqual([[1], [1], [2, 1]]);
  });
});

describe('when a refused charge may be tried again', () => {
  it.each(ALGORITHMS)('it is admitted at that millisecond, and not one before: %s', async (algorithm) => {
    const tier = aTier({ algorithm, perWindow: 7 });
    for (const charge of [4, 3, 2, 1]) {
      await store.charge([aUse('u:alice', tier, charge)]);
      now += 7_000_000;
    }
    const use = aUse('u:alice', tier, 9);
    const { readings } = await store.charge([use]);
    const { retryAfterMs } = readings[0]!;
    now += (retryAfterMs - 1) * 1_000;
    expect((await store.charge([use])).admitted).toBe(false);
    now += 1_000;
    expect((await store.charge([use])).admitted).toBe(true);
  });

  it.each(ALGORITHMS)('is never, for a charge above the limit: %s', async (algorithm) => {
    const { readings } = await store.charge([aUse('u:alice', aTier({ algorithm }), 11)]);
    expect(readings[0]!.retryAfterMs).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('charges of one moment', () => {
  it('travel together, 64 to a call, and each gets its own answer', async () => {
    const run = vi.spyOn(redis, 'run');
    const tier = aTier({ limit: 100 });
    const outcomes = await Promise.all(
      Array.from({ length: 130 }, (_, index) =>
        store.charge([aUse(`u:${index % 2}`, tier, 1 + (index % 2))]),
      ),
    );
    expect(run).toHaveBeenCalledTimes(3);
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
    const last = createCounterStore(plainRedis(server.url));
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
  const live = createCounterStore(plainRedis(server.url));
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
  const charges = await Promise.all(uses.map((use) => store.charge([use])));
  expect(await Promise.all(uses.map(usedBy))).toEqual(strange.map((_, index) => index + 1));
  for (const { receipt } of charges.slice(1)) store.refund(receipt);
  await vi.waitFor(
    async () => expect(await Promise.all(uses.slice(1).map(usedBy))).toEqual(uses.slice(1).map(() => 0)),
    15_000,
  );
  expect(await usedBy(uses[0]!)).toBe(1);
});

function unreachable(): GuardedRedis {
  return {
    cluster: false,
    run: () => Promise.reject(new StoreUnreachable('timeout')),
    close: async () => undefined,
  };
}
