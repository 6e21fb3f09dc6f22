import { describe, expect, it } from 'vitest';
import { createDenialCache } from '../../src/domains/limits/denial-cache.js';
import { counterUses } from '../../src/domains/limits/owners.js';
import type { RateLimitCaller, Tier } from '../../src/platform/gate.js';
import { alice, anonymous, limiterWorld, requestOf, rulesOf, rulesThat, tierOf } from './limiter-world.js';

const full = { used: 3, remaining: 0, resetAt: 0 };

function cache() {
  let now = 0;
  const denials = createDenialCache(() => now, { now: () => 0 });
  return {
    refuse(caller: RateLimitCaller, tier: Tier, charge: number, retryAfterMs: number, askedAt = now) {
      const [use] = counterUses(caller, [{ tier, charge }]);
      denials.add(caller, use!, { ...full, retryAfterMs }, askedAt);
    },
    find(caller: RateLimitCaller, tier: Tier, charge = 1) {
      const denial = denials.find(caller, [{ tier, charge }]);
      return denial && denials.refusal(denial);
    },
    pass(ms: number) {
      now += ms;
    },
  };
}

describe('A caller over a limit', () => {
  it('is refused from memory, with the time that is left', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 1, windowSeconds: 60 })));
    await world.limiter.decide(requestOf());
    await world.limiter.decide(requestOf());
    world.pass(400);
    expect(world.limiter.decideLocally(requestOf())).toMatchObject({
      outcome: 'REJECT',
      decidedBy: 'memory',
      retryAfterMs: 59_600,
      decisive: { remaining: 0 },
    });
    expect(world.store.asked).toHaveLength(2);
  });

  it('is refused from memory for 1 second at most', () => {
    const tier = tierOf();
    const { refuse, find, pass } = cache();
    refuse(alice, tier, 1, 60_000);
    pass(999);
    expect(find(alice, tier)?.retryAfterMs).toBe(59_001);
    pass(1);
    expect(find(alice, tier)).toBeUndefined();
  });

  it('has another request than the refused one decided by itself', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 1 })));
    const search = world.rules.match(requestOf());
    world.rules = {
      ...world.rules,
      match: ({ endpoints, caller }) =>
        endpoints.has('GET /api/search') && caller.plan === 'pro' ? search : [],
    };
    await world.limiter.decide(requestOf());
    await world.limiter.decide(requestOf());
    const of = (endpoint: string, times: number, plan = 'pro') =>
      world.limiter.decideLocally(
        requestOf({ endpoints: new Map([[endpoint, times]]), caller: { ...alice, plan } }),
      )?.decidedBy;
    expect(of('GET /api/search', 1)).toBe('memory');
    expect(of('GET /api/search', 1)).toBe('memory');
    expect(of('GET /api/search', 1, 'free')).toBe('none');
    expect(of('GET /api/orders/*', 1)).toBe('none');
    expect(of('GET /api/search', 2)).toBe('memory');
    world.pass(1_000);
    expect(of('GET /api/search', 2)).toBeUndefined();
  });

  it('is refused from memory until the earliest moment at which the store might admit', () => {
    const tier = tierOf();
    const { refuse, find, pass } = cache();
    pass(50);
    refuse(alice, tier, 1, 300, 20);
    pass(269.5);
    expect(find(alice, tier)?.retryAfterMs).toBe(1);
    pass(0.5);
    expect(find(alice, tier)).toBeUndefined();
  });

  it('may still try a smaller charge than the one refused', () => {
    const tier = tierOf();
    const { refuse, find } = cache();
    refuse(alice, tier, 5, 900);
    expect(find(alice, tier, 4)).toBeUndefined();
    expect(find(alice, tier, 5)).toBeDefined();
    refuse(alice, tier, 2, 400);
    refuse(alice, tier, 7, 900);
    expect(find(alice, tier, 2)?.retryAfterMs).toBe(400);
  });

  it('is not refused by rules that are no longer in force', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 1 })));
    await world.limiter.decide(requestOf());
    await world.limiter.decide(requestOf());
    world.rules = rulesOf(tierOf({ limit: 5 }));
    expect(world.limiter.decideLocally(requestOf())).toBeUndefined();
    expect((await world.limiter.decide(requestOf())).outcome).toBe('ALLOW');
  });

  it('is refused alone, unless all callers share the limit', () => {
    const own = tierOf();
    const keyed = tierOf({ scope: 'api_key' });
    const everybody = tierOf({ scope: 'global' });
    const { refuse, find } = cache();
    refuse(alice, own, 1, 900);
    refuse({ ...alice, apiKeyId: 'one' }, keyed, 1, 900);
    expect(find(anonymous, own)).toBeUndefined();
    expect(find({ ...alice, apiKeyId: 'two' }, keyed)).toBeUndefined();
    expect(find({ ...alice, apiKeyId: 'one' }, keyed)).toBeDefined();
    refuse(alice, everybody, 1, 900);
    expect(find(anonymous, everybody)).toBeDefined();
  });
});

describe('Not kept in memory', () => {
  it.each([
    ['a tier that throttles', tierOf({ action: 'throttle' })],
    ['a shadow tier', tierOf({ shadow: true })],
    ['a query-cost budget, which is refunded later', tierOf({ rule: 'user_id/query_cost' })],
    ['a query-cost budget of a plan', tierOf({ rule: 'query_cost/plan=pro' })],
  ])('is a refusal of %s', (_, tier) => {
    const { refuse, find } = cache();
    refuse(alice, tier, 1, 900);
    expect(find(alice, tier)).toBeUndefined();
  });

  it('is what an outage refused', async () => {
    const tier = tierOf({ fail: 'closed' });
    const world = limiterWorld(rulesThat([tier], [{ tier, charge: 1 }]));
    world.store.failure = new Error('away');
    await world.limiter.decide(requestOf());
    world.store.failure = undefined;
    expect((await world.limiter.decide(requestOf())).outcome).toBe('ALLOW');
  });
});

describe('The denial cache', () => {
  const user = (index: number): RateLimitCaller => ({ ...alice, userId: `u${index}` });

  it('holds 10,000 counters; the oldest refusals leave first', () => {
    const tier = tierOf();
    const { refuse, find } = cache();
    for (let i = 0; i < 10_000; i += 1) refuse(user(i), tier, 1, 900);
    refuse(user(0), tier, 1, 900);
    refuse(user(10_000), tier, 1, 900);
    expect(find(user(0), tier)).toBeDefined();
    expect(find(user(1), tier)).toBeUndefined();
    expect(find(user(2), tier)).toBeDefined();
    expect(find(user(10_000), tier)).toBeDefined();
  });
});
