import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import { createLimiter, type Limiter } from '../../src/domains/limits/limiter.js';
import type { Tier } from '../../src/platform/gate.js';
import { anonymous, CountingStore, NOW, requestOf, rulesOf, tierOf } from './limiter-world.js';

const search = tierOf({
  rule: 'endpoint=GET /api/search',
  level: 'endpoint',
  limit: 1,
  windowSeconds: 1,
  action: 'throttle',
});

let store: CountingStore;
let registry: Registry;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  store = new CountingStore();
  store.now = () => Date.now();
  registry = new Registry();
});
afterEach(() => {
  vi.useRealTimers();
});

const limiterOf = (...tiers: Tier[]): Limiter => {
  const rules = rulesOf(...tiers);
  return createLimiter({ rules: () => rules, store, metrics: registry });
};

/** Asks, and writes the outcome down when it comes. */
function ask(limiter: Limiter, seen: string[], name: string, signal?: AbortSignal) {
  return limiter.decide(requestOf(), signal && (() => signal)).then((decision) => {
    seen.push(`${name} ${decision.outcome} after ${Date.now() - NOW}`);
    return decision;
  });
}

const valuesOf = async (name: string) =>
  (await registry.getSingleMetric(name)!.get()).values.map(({ value }) => value);

/** Decisions by their result, whichever tier made them. */
async function resultsOf(): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric('rate_limiter_requests_total')!.get();
  const sums: Record<string, number> = {};
  for (const { labels, value } of values)
    sums[String(labels.result)] = (sums[String(labels.result)] ?? 0) + value;
  return sums;
}

describe('A throttled request', () => {
  it('waits until it is admitted, in the order in which requests came', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) void ask(limiter, seen, name);
    await vi.advanceTimersByTimeAsync(10);
    expect(await valuesOf('rate_limiter_throttle_queue')).toEqual([2]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(seen).toEqual(['a ALLOW after 0', 'b ALLOW after 1000', 'c ALLOW after 2000']);
    expect(await valuesOf('rate_limiter_throttled_total')).toEqual([2]);
    expect(await valuesOf('rate_limiter_throttle_queue')).toEqual([0]);
  });

  it('that is new queues behind the others, though the store would admit it', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    void ask(limiter, seen, 'a');
    void ask(limiter, seen, 'b');
    await vi.advanceTimersByTimeAsync(500);
    store.counts.clear();
    void ask(limiter, seen, 'c');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(seen).toEqual(['a ALLOW after 0', 'b ALLOW after 1000', 'c ALLOW after 2000']);
  });

  it('does not hold up other callers', async () => {
    const limiter = limiterOf(search);
    await limiter.decide(requestOf());
    void limiter.decide(requestOf());
    await vi.advanceTimersByTimeAsync(1);
    expect((await limiter.decide(requestOf({ caller: anonymous }))).outcome).toBe('ALLOW');
  });

  it('waits 10 seconds at most, and is refused at once where its turn comes later', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    for (let i = 0; i < 12; i += 1) void ask(limiter, seen, `${i}`);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['0 ALLOW after 0', '11 REJECT after 0']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen.filter((line) => line.includes('ALLOW'))).toHaveLength(11);
  });

  it('leaves when 10 seconds are over, though others took what it waited for', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) void ask(limiter, seen, name);
    const take = store.charge.bind(store);
    store.charge = async (uses) => {
      await take(uses);
      return take(uses);
    };
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen.toSorted()).toEqual(['a ALLOW after 0', 'b REJECT after 10000', 'c REJECT after 10000']);
  });

  it('is refused at once where the wait would be longer, with the time to wait', async () => {
    const limiter = limiterOf({ ...search, windowSeconds: 60 });
    await limiter.decide(requestOf());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await limiter.decide(requestOf())).toMatchObject({ outcome: 'REJECT', retryAfterMs: 59_000 });
  });

  it('that finds the queue full gets the wait of its end', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    for (let i = 0; i < 11; i += 1) void ask(limiter, seen, `${i}`);
    await vi.advanceTimersByTimeAsync(1);
    const late = await limiter.decide(requestOf());
    expect(late).toMatchObject({ outcome: 'REJECT', retryAfterMs: 10_999, decisive: { tier: search } });
    await vi.advanceTimersByTimeAsync(10_000);
  });

  it('is refused at once where 100 wait already', async () => {
    const limiter = limiterOf({ ...search, limit: 50, perWindow: 50 });
    const seen: string[] = [];
    for (let i = 0; i < 151; i += 1) void ask(limiter, seen, `${i}`);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toHaveLength(51);
    expect(seen.at(-1)).toBe('150 REJECT after 0');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toHaveLength(151);
  });

  it('of one caller leaves positions to others, where all share the limit', async () => {
    const limiter = limiterOf({ ...search, scope: 'global', limit: 2, perWindow: 2 });
    const seen: string[] = [];
    for (let i = 0; i < 13; i += 1) void ask(limiter, seen, `${i}`);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['0 ALLOW after 0', '1 ALLOW after 0', '12 REJECT after 0']);
    const other = limiter.decide(requestOf({ caller: anonymous }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await other).outcome).toBe('ALLOW');
  });

  it('whose client went away leaves the queue, and counts as cancelled, not as refused', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    const abort = new AbortController();
    void ask(limiter, seen, 'a');
    void ask(limiter, seen, 'b', abort.signal);
    void ask(limiter, seen, 'c');
    await vi.advanceTimersByTimeAsync(100);
    abort.abort();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(seen).toEqual(['a ALLOW after 0', 'b CANCELLED after 100', 'c ALLOW after 1000']);
    expect(await resultsOf()).toEqual({ allowed: 2, rejected: 0, cancelled: 1, error: 0 });
  });

  it('whose client had gone before it began to wait is cancelled at once', async () => {
    const limiter = limiterOf(search);
    await limiter.decide(requestOf());
    const decision = await limiter.decide(requestOf(), () => AbortSignal.abort());
    expect(decision).toMatchObject({ outcome: 'CANCELLED', decidedBy: 'none', receipt: null });
  });

  it('whose client goes away while its turn is decided is charged nothing', async () => {
    const limiter = limiterOf(search);
    const abort = new AbortController();
    await limiter.decide(requestOf());
    const waiting = limiter.decide(requestOf(), () => abort.signal);
    await vi.advanceTimersByTimeAsync(10);
    const charge = store.charge.bind(store);
    store.charge = (uses) => {
      abort.abort();
      return charge(uses);
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toMatchObject({ outcome: 'CANCELLED' });
    expect(store.refunds).toHaveLength(1);
    expect(await resultsOf()).toEqual({ allowed: 1, rejected: 0, cancelled: 1, error: 0 });
  });

  it('whose client goes away before another limit refuses it counts as cancelled', async () => {
    const limiter = limiterOf(search, tierOf({ limit: 1 }));
    const abort = new AbortController();
    await limiter.decide(requestOf());
    const waiting = limiter.decide(requestOf(), () => abort.signal);
    await vi.advanceTimersByTimeAsync(10);
    const charge = store.charge.bind(store);
    store.charge = (uses) => {
      abort.abort();
      return charge(uses);
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toMatchObject({ outcome: 'CANCELLED' });
    expect(await resultsOf()).toMatchObject({ rejected: 0, cancelled: 1 });
  });

  it('is refused at once by a limit that rejects, when its turn comes', async () => {
    const user = tierOf({ limit: 1 });
    const limiter = limiterOf(search, user);
    const seen: string[] = [];
    void ask(limiter, seen, 'a');
    const waiting = ask(limiter, seen, 'b');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual(['a ALLOW after 0', 'b REJECT after 1000']);
    expect((await waiting).decisive!.tier).toBe(user);
  });

  it('moves on to the queue of another limit that throttles', async () => {
    const slow = tierOf({ rule: 'slow', limit: 1, windowSeconds: 5, action: 'throttle' });
    const limiter = limiterOf(search, slow);
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) void ask(limiter, seen, name);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toEqual(['a ALLOW after 0', 'b ALLOW after 5000', 'c ALLOW after 10000']);
    expect(await valuesOf('rate_limiter_throttle_queue')).toEqual([0]);
  });

  it('goes on where counters fail meanwhile', async () => {
    const limiter = limiterOf(search);
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) void ask(limiter, seen, name);
    await vi.advanceTimersByTimeAsync(10);
    store.failure = new StoreUnreachable('connection');
    await vi.advanceTimersByTimeAsync(990);
    expect(seen).toEqual(['a ALLOW after 0', 'b ALLOW after 1000', 'c ALLOW after 1000']);
  });

  it('of a shadow tier never waits', async () => {
    const limiter = limiterOf({ ...search, shadow: true });
    await limiter.decide(requestOf());
    expect((await limiter.decide(requestOf())).outcome).toBe('ALLOW');
  });
});
