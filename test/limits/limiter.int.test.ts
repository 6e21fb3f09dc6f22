import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { openGuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import type { CounterStore } from '../../src/domains/limits/counters/store.js';
import { createLimiter, type Limiter } from '../../src/domains/limits/limiter.js';
import { readRules } from '../../src/domains/limits/rules/rules.js';
import type { RateLimitRequest } from '../../src/platform/gate.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { alice } from './limiter-world.js';

const DOCUMENT = `
domain: test
descriptors:
  - key: global
    rate_limit: { requests_per_unit: 1000, unit: day }
  - key: user_id
    rate_limit: { requests_per_unit: 3, unit: day, soft_limit: 2 }
  - key: endpoint
    value: GET /api/search
    rate_limit: { requests_per_unit: 10, unit: second, algorithm: leaky_bucket, burst: 1 }
    action: throttle
  - key: endpoint
    value: login
    rate_limit: { requests_per_unit: 3, unit: day }
    fail: closed
  - key: query_cost
    rate_limit: { requests_per_unit: 1, unit: day, algorithm: token_bucket, burst: 100 }
`;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis.stop());

let store: CounterStore;
let limiter: Limiter;
let callers = 0;

async function openLimiter(url: string): Promise<void> {
  const read = await readRules(DOCUMENT);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  // A slow test machine is no outage.
  store = createCounterStore(
    openGuardedRedis({ urls: url.split(','), onError: () => undefined, timeoutMs: 5_000 }),
  );
  limiter = createLimiter({ rules: () => read.rules, store, metrics: new Registry() });
}

function requestOf(endpoint: string, parts: Partial<RateLimitRequest> = {}): RateLimitRequest {
  const caller = { ...alice, userId: `user${callers}` };
  return { caller, endpoints: new Map([[endpoint, 1]]), queryCost: null, part: 'whole', ...parts };
}

/** The first commands may come before the connection does. */
const connected = () =>
  vi.waitFor(
    async () => expect((await limiter.preview(requestOf('GET /api/else'))).decidedBy).toBe('store'),
    10_000,
  );

describe('With counters in Redis', () => {
  beforeEach(async () => {
    callers += 1;
    await openLimiter(redis.url);
    await connected();
    return () => store.close();
  });

  it('a caller goes from full service to less of it to refusals', async () => {
    const request = requestOf('GET /api/else');
    const outcomes = [];
    for (let i = 0; i < 5; i += 1) outcomes.push((await limiter.decide(request)).outcome);
    expect(outcomes).toEqual(['ALLOW', 'ALLOW', 'DEGRADE', 'REJECT', 'REJECT']);
  });

  it('of 20 at once exactly the limit is admitted', async () => {
    const decisions = await Promise.all(
      Array.from({ length: 20 }, () => limiter.decide(requestOf('GET /api/else'))),
    );
    expect(decisions.filter(({ outcome }) => outcome !== 'REJECT')).toHaveLength(3);
  });

  it('throttled requests wait, and go in the order in which they came', async () => {
    const order: number[] = [];
    const ask = async (index: number) => {
      const { outcome } = await limiter.decide(requestOf('GET /api/search'));
      order.push(index);
      return outcome;
    };
    expect(await Promise.all([0, 1, 2].map(ask))).toEqual(['ALLOW', 'ALLOW', 'DEGRADE']);
    expect(order).toEqual([0, 1, 2]);
  });

  it('what an operation did not use is in the budget again, and a refund gives back everything', async () => {
    const request = requestOf('Query.feed', { queryCost: 80 });
    const decision = await limiter.decide(request);
    expect(decision.budget).toMatchObject({ used: 80, remaining: 20 });
    limiter.settle(decision, 30);
    await vi.waitFor(async () => expect((await limiter.preview(request)).budget?.remaining).toBe(70), 10_000);
    limiter.refund(decision);
    await vi.waitFor(async () => {
      const { budget, readings } = await limiter.preview(request);
      expect(budget?.remaining).toBe(100);
      expect(readings.find(({ tier }) => tier.rule === 'user_id')?.used).toBe(0);
    }, 15_000);
  });

  it('what costs more than a budget will ever hold is refused for good', async () => {
    expect(await limiter.decide(requestOf('Query.feed', { queryCost: 101 }))).toMatchObject({
      outcome: 'REJECT',
      impossible: true,
    });
  });
});

describe('With a Redis that is not there', () => {
  beforeEach(async () => {
    await openLimiter('redis://127.0.0.1:1');
    return () => store.close();
  });

  it('requests are let through, but not those that must be counted', async () => {
    expect(await limiter.decide(requestOf('GET /api/else'))).toMatchObject({
      outcome: 'ALLOW',
      decidedBy: 'unreachable',
      decisive: { remaining: 3 },
    });
    expect(await limiter.decide(requestOf('login'))).toMatchObject({
      outcome: 'REJECT',
      retryAfterMs: 60_000,
      decisive: { remaining: 0, tier: { rule: 'endpoint=login' } },
    });
  });
});
