import { describe, expect, it } from 'vitest';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import {
  alice,
  anonymous,
  limiterWorld,
  NOW,
  requestOf,
  rulesOf,
  rulesThat,
  tierOf,
} from './limiter-world.js';

describe('A caller', () => {
  it('is let through up to the limit and refused beyond it', async () => {
    const { limiter } = limiterWorld(rulesOf(tierOf({ limit: 2 })));
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) outcomes.push((await limiter.decide(requestOf())).outcome);
    expect(outcomes).toEqual(['ALLOW', 'ALLOW', 'REJECT']);
  });

  it('learns what remains, when it resets, and after a refusal when to come back', async () => {
    const tier = tierOf({ limit: 1 });
    const world = limiterWorld(rulesOf(tier));
    world.pass(10_000);
    const admitted = await world.limiter.decide(requestOf());
    expect(admitted.decisive).toEqual({ tier, used: 1, remaining: 0, resetAt: NOW + 60_000 });
    expect(admitted).toMatchObject({ retryAfterMs: null, impossible: false, decidedBy: 'store' });
    const refused = await world.limiter.decide(requestOf());
    expect(refused).toMatchObject({ outcome: 'REJECT', retryAfterMs: 50_000, receipt: null });
    expect(refused.decisive).toMatchObject({ tier, remaining: 0 });
  });

  it('is told to come back in no less than a millisecond', async () => {
    const world = limiterWorld(rulesOf(tierOf()));
    const reading = { used: 3, remaining: 0, resetAt: NOW, retryAfterMs: 0 };
    world.store.charge = async () => ({ admitted: false, readings: [reading], violated: 0, receipt: [] });
    expect((await world.limiter.decide(requestOf())).retryAfterMs).toBe(1);
  });

  it('is served with less between the soft limit and the hard one', async () => {
    const { limiter } = limiterWorld(rulesOf(tierOf({ limit: 3, softLimit: 1 })));
    const outcomes = [];
    for (let i = 0; i < 4; i += 1) outcomes.push((await limiter.decide(requestOf())).outcome);
    expect(outcomes).toEqual(['ALLOW', 'DEGRADE', 'DEGRADE', 'REJECT']);
  });

  it('whom no rule limits goes on, and no counter is asked', async () => {
    const { limiter, store, noted } = limiterWorld(rulesOf());
    expect(limiter.foresee(requestOf())).toMatchObject({
      outcome: 'ALLOW',
      decidedBy: 'none',
      decisive: null,
    });
    expect(await limiter.decide(requestOf())).toMatchObject({ outcome: 'ALLOW', decidedBy: 'none' });
    expect(store.asked).toEqual([]);
    expect(noted).toEqual([]);
  });

  it('of an unlimited rule is counted nowhere', async () => {
    const unlimited = tierOf({ rule: 'user_id/plan=enterprise', limit: Number.POSITIVE_INFINITY });
    const { limiter, store } = limiterWorld(rulesOf(unlimited, tierOf()));
    const { readings } = await limiter.decide(requestOf());
    expect(readings.map(({ tier }) => tier.rule)).toEqual(['user_id']);
    expect(store.asked[0]!.map(({ tier }) => tier.rule)).toEqual(['user_id']);
  });

  it('has counters of their own, by user, by network, and by API key', async () => {
    const keyed = tierOf({ rule: 'api_key', scope: 'api_key', counterId: 'k' });
    const shared = tierOf({ rule: 'global', level: 'global', scope: 'global', counterId: 'g' });
    const { limiter, store } = limiterWorld(rulesOf(shared, tierOf({ counterId: 'c' }), keyed));
    await limiter.decide(requestOf({ caller: { ...alice, apiKeyId: 'key1' } }));
    await limiter.decide(requestOf({ caller: anonymous }));
    expect(store.asked[0]!.map(({ key }) => key)).toEqual([
      'tidings:limit:{u:alice}:c',
      'tidings:limit:{u:alice}:key1:k',
      'tidings:limit:{global}:g',
    ]);
    expect(store.asked[1]![0]).toMatchObject({ owner: 'n:192.0.2.9', key: 'tidings:limit:{n:192.0.2.9}:c' });
  });
});

describe('Of several limits', () => {
  const endpoint = tierOf({ rule: 'endpoint=GET /api/search', level: 'endpoint', limit: 5 });
  const user = tierOf({ rule: 'user_id', limit: 3 });
  const everybody = tierOf({ rule: 'global', level: 'global', scope: 'global', limit: 9 });

  it('the one with the least remaining is told, and of equals the later reset', async () => {
    const { limiter } = limiterWorld(rulesOf(endpoint, user, everybody));
    expect((await limiter.decide(requestOf())).decisive!.tier).toBe(user);
    const hourly = tierOf({ rule: 'hourly', limit: 3, windowSeconds: 3_600 });
    const equals = limiterWorld(rulesOf(user, hourly));
    expect((await equals.limiter.decide(requestOf())).decisive!.tier).toBe(hourly);
  });

  it('readings come by precedence, also where a shared endpoint rule was charged last', async () => {
    const sharedEndpoint = tierOf({ rule: 'global/endpoint=login', level: 'endpoint', scope: 'global' });
    const { limiter, store } = limiterWorld(rulesOf(sharedEndpoint, user, everybody));
    const { readings } = await limiter.decide(requestOf());
    expect(store.asked[0]!.map(({ tier }) => tier.rule)).toEqual([
      'user_id',
      'global/endpoint=login',
      'global',
    ]);
    expect(readings.map(({ tier }) => tier.rule)).toEqual(['global/endpoint=login', 'user_id', 'global']);
  });

  it('a refusal shows the tiers up to the violated one, and charges none', async () => {
    const { limiter, store } = limiterWorld(rulesOf(endpoint, tierOf({ limit: 1 }), everybody));
    await limiter.decide(requestOf());
    const refused = await limiter.decide(requestOf());
    expect(refused.readings.map(({ tier }) => tier.rule)).toEqual(['endpoint=GET /api/search', 'user_id']);
    expect([...store.counts.values()]).toEqual([1, 1, 1]);
  });

  it('one that only watches refuses nothing, is shown, and never decides', async () => {
    const shadow = tierOf({ rule: 'watch', limit: 1, shadow: true, softLimit: 0.5 });
    const world = limiterWorld(rulesOf(shadow, user));
    await world.limiter.decide(requestOf());
    const second = await world.limiter.decide(requestOf());
    expect(second.outcome).toBe('ALLOW');
    expect(second.decisive!.tier).toBe(user);
    expect(second.readings[0]).toMatchObject({ tier: shadow, remaining: 0 });
    expect(await world.samples('rate_limiter_shadow_rejections_total')).toEqual({ watch: 1 });
  });
});

describe('A query-cost budget', () => {
  const budget = tierOf({ rule: 'query_cost', limit: 100, cost: 2, algorithm: 'token_bucket' });
  const user = tierOf();
  const cost = (charge: number) =>
    rulesThat(
      [user, budget],
      [
        { tier: user, charge: 1 },
        { tier: budget, charge },
      ],
    );

  it('is told by itself and decides only where it is violated', async () => {
    const world = limiterWorld(cost(99));
    const first = await world.limiter.decide(requestOf());
    expect(first.budget).toMatchObject({ tier: budget, used: 99, remaining: 1 });
    expect(first.decisive!.tier).toBe(user);
    const second = await world.limiter.decide(requestOf());
    expect(second).toMatchObject({ outcome: 'REJECT', decisive: { tier: budget } });
  });

  it('refuses at once, for good, what is larger than it will ever hold, though the store is away', async () => {
    const world = limiterWorld(cost(101));
    world.store.failure = new StoreUnreachable('connection');
    expect(world.limiter.foresee(requestOf())).toMatchObject({
      outcome: 'REJECT',
      impossible: true,
      retryAfterMs: 60_000,
      decisive: { tier: budget, remaining: 0, resetAt: NOW + 60_000 },
    });
    expect((await world.limiter.decide(requestOf())).impossible).toBe(true);
    expect(world.store.asked).toEqual([]);
  });

  it('gets back what the operation did not use, once', async () => {
    const world = limiterWorld(cost(80));
    const decision = await world.limiter.decide(requestOf());
    world.limiter.settle(decision, 10);
    world.limiter.settle(decision, 5);
    expect(
      world.store.refunds.map((receipt) => receipt.map(({ tier, charge }) => [tier.rule, charge])),
    ).toEqual([[['query_cost', 60]]]);
  });

  it('keeps what an operation used to the full', async () => {
    const world = limiterWorld(cost(80));
    world.limiter.settle(await world.limiter.decide(requestOf()), 40);
    world.limiter.settle(await world.limiter.decide(requestOf({ caller: anonymous })), 500);
    expect(world.store.refunds).toEqual([]);
  });

  it('and everything else is taken back once, whatever was settled before', async () => {
    const world = limiterWorld(cost(80));
    const decision = await world.limiter.decide(requestOf());
    world.limiter.settle(decision, 10);
    world.limiter.refund({ ...decision });
    world.limiter.refund(decision);
    world.limiter.settle(decision, 1);
    expect(world.store.refunds).toHaveLength(2);
    expect([...world.store.counts.values()]).toEqual([0, 0]);
  });

  it('is not settled after a refund, and a refusal has nothing to take back', async () => {
    const world = limiterWorld(cost(80));
    const decision = await world.limiter.decide(requestOf());
    world.limiter.refund(decision);
    world.limiter.settle(decision, 1);
    expect(world.store.refunds).toHaveLength(1);
    world.store.counts.clear();
    await world.limiter.decide(requestOf());
    world.limiter.refund(await world.limiter.decide(requestOf()));
    expect(world.store.refunds).toHaveLength(1);
  });
});

describe('While the counters cannot be reached', () => {
  const away = new StoreUnreachable('timeout');

  it('requests are let through with everything remaining', async () => {
    const user = tierOf({ limit: 7 });
    const world = limiterWorld(rulesOf(user));
    world.store.failure = away;
    expect(await world.limiter.decide(requestOf())).toMatchObject({
      outcome: 'ALLOW',
      decidedBy: 'unreachable',
      receipt: null,
      decisive: { tier: user, used: 0, remaining: 7, resetAt: NOW + 60_000 },
    });
    expect(await world.samples('rate_limiter_redis_errors_total')).toEqual({ timeout: 1 });
  });

  it('those that a rule guards are refused for 60 seconds', async () => {
    const login = tierOf({ rule: 'endpoint=login', level: 'endpoint', fail: 'closed', windowSeconds: 1 });
    const world = limiterWorld(rulesOf(login, tierOf()));
    world.store.failure = away;
    expect(await world.limiter.decide(requestOf())).toMatchObject({
      outcome: 'REJECT',
      decidedBy: 'unreachable',
      retryAfterMs: 60_000,
      decisive: { tier: login, remaining: 0, resetAt: NOW + 60_000 },
    });
    expect(await world.samples('rate_limiter_redis_errors_total')).toEqual({});
    expect(await world.samples('rate_limiter_requests_total')).toEqual({
      'error | endpoint=login | login': 1,
    });
  });

  it('an unlimited rule may guard them too', async () => {
    const guard = tierOf({ rule: 'guard', limit: Number.POSITIVE_INFINITY, fail: 'closed' });
    const world = limiterWorld(rulesOf(tierOf(), guard));
    world.store.failure = away;
    expect(await world.limiter.decide(requestOf())).toMatchObject({
      outcome: 'REJECT',
      decisive: { tier: guard },
    });
  });

  it('a rule that only watches guards nothing', async () => {
    const world = limiterWorld(rulesOf(tierOf({ fail: 'closed', shadow: true })));
    world.store.failure = away;
    expect((await world.limiter.decide(requestOf())).outcome).toBe('ALLOW');
  });

  it('an error that nobody expected counts as unreachable, and is told', async () => {
    const world = limiterWorld(rulesOf(tierOf()));
    world.store.failure = new Error('a script broke');
    expect((await world.limiter.decide(requestOf())).decidedBy).toBe('unreachable');
    expect((await world.limiter.preview(requestOf())).decidedBy).toBe('unreachable');
    expect(world.errors).toEqual([world.store.failure, world.store.failure]);
    expect(await world.samples('rate_limiter_redis_errors_total')).toEqual({ error: 1 });
  });
});

describe('A preview', () => {
  it('charges nothing and tells the outcome that a request would have now', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 2, softLimit: 1 })));
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) {
      outcomes.push((await world.limiter.preview(requestOf())).outcome);
      await world.limiter.decide(requestOf());
    }
    expect(outcomes).toEqual(['ALLOW', 'DEGRADE', 'REJECT']);
    expect([...world.store.counts.values()]).toEqual([2]);
  });

  it('reads every tier as it stands, also behind the violated one', async () => {
    const user = tierOf({ limit: 1 });
    const shadow = tierOf({ rule: 'watch', limit: 5, shadow: true });
    const world = limiterWorld(rulesOf(user, shadow));
    await world.limiter.decide(requestOf());
    const preview = await world.limiter.preview(requestOf());
    expect(preview.readings.map(({ tier, used }) => [tier.rule, used])).toEqual([
      ['user_id', 1],
      ['watch', 1],
    ]);
    expect(preview).toMatchObject({ outcome: 'REJECT', retryAfterMs: 60_000, decisive: { tier: user } });
  });

  it('says where a charge will never fit', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 2, cost: 3 })));
    expect(await world.limiter.preview(requestOf())).toMatchObject({
      outcome: 'REJECT',
      impossible: true,
      retryAfterMs: 60_000,
    });
  });

  it('is counted as no request', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 1 })));
    await world.limiter.preview(requestOf());
    world.store.failure = new StoreUnreachable('timeout');
    await world.limiter.preview(requestOf());
    expect(await world.samples('rate_limiter_requests_total')).toEqual({});
    expect(await world.samples('rate_limiter_redis_errors_total')).toEqual({});
    expect(world.noted).toEqual([]);
    const checks = await world.registry.getSingleMetricAsString('rate_limiter_check_duration_seconds');
    expect(checks).toContain('rate_limiter_check_duration_seconds_count 2');
  });

  it('shows rules that only guard, and refuses by them while the store is away', async () => {
    const unlimited = { limit: Number.POSITIVE_INFINITY };
    const guard = tierOf({ ...unlimited, rule: 'endpoint=Mutation.placeOrder', fail: 'closed' });
    const open = tierOf({ ...unlimited, rule: 'user_id' });
    const watching = tierOf({ ...unlimited, rule: 'watch', fail: 'closed', shadow: true });
    const world = limiterWorld(rulesOf(open, guard, watching));
    const guards = ['endpoint=Mutation.placeOrder'];
    expect(await world.limiter.preview(requestOf())).toMatchObject({
      outcome: 'ALLOW',
      decidedBy: 'none',
      guards,
    });
    world.store.failure = new StoreUnreachable('connection');
    expect(await world.limiter.preview(requestOf())).toMatchObject({
      outcome: 'REJECT',
      decidedBy: 'unreachable',
      decisive: { tier: guard, remaining: 0 },
      guards,
    });
  });
});
