import { describe, expect, it } from 'vitest';
import { alice, anonymous, limiterWorld, NOW, requestOf, rulesOf, tierOf } from './limiter-world.js';

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

  it('may be tried again in no less than a millisecond', async () => {
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

  it('that no rule limits is admitted, and no counter is asked', async () => {
    const { limiter, store, noted } = limiterWorld(rulesOf());
    expect(limiter.decideLocally(requestOf())).toMatchObject({
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
      'tidings:limit:{u:alice}:tiers',
      'tidings:limit:{u:alice}:key1:tiers',
      'tidings:limit:{global}:tier:g',
    ]);
    expect(store.asked[1]![0]).toMatchObject({
      owner: 'n:192.0.2.9',
      key: 'tidings:limit:{n:192.0.2.9}:tiers',
    });
  });
});

describe('Of several limits', () => {
  const endpoint = tierOf({ rule: 'endpoint=GET /api/search', level: 'endpoint', limit: 5 });
  const user = tierOf({ rule: 'user_id', limit: 3 });
  const everybody = tierOf({ rule: 'global', level: 'global', scope: 'global', limit: 9 });

  it('the one with the least remaining is decisive, and of equals the one with the later reset', async () => {
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
