import { describe, expect, it } from 'vitest';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import { limiterWorld, requestOf, rulesOf, tierOf } from './limiter-world.js';

describe('A preview', () => {
  it('charges nothing and shows the outcome that a request would have now', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 2, softLimit: 1 })));
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) {
      outcomes.push((await world.limiter.preview(requestOf())).outcome);
      await world.limiter.decide(requestOf());
    }
    expect(outcomes).toEqual(['ALLOW', 'DEGRADE', 'REJECT']);
    expect([...world.store.counts.values()]).toEqual([2]);
  });

  it('reads every tier as it is, also behind the violated one', async () => {
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

  it('lists unlimited rules that fail closed, and refuses by them while the counters cannot be reached', async () => {
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
