import { describe, expect, it } from 'vitest';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import { limiterWorld, NOW, requestOf, rulesOf, tierOf } from './limiter-world.js';

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

  it('requests that match a rule with `fail: closed` are refused for 60 seconds', async () => {
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

  it('an unlimited rule with `fail: closed` refuses requests too', async () => {
    const guard = tierOf({ rule: 'guard', limit: Number.POSITIVE_INFINITY, fail: 'closed' });
    const world = limiterWorld(rulesOf(tierOf(), guard));
    world.store.failure = away;
    expect(await world.limiter.decide(requestOf())).toMatchObject({
      outcome: 'REJECT',
      decisive: { tier: guard },
    });
  });

  it('a shadow rule with `fail: closed` refuses nothing', async () => {
    const world = limiterWorld(rulesOf(tierOf({ fail: 'closed', shadow: true })));
    world.store.failure = away;
    expect((await world.limiter.decide(requestOf())).outcome).toBe('ALLOW');
  });

  it('a request that is decided again with its operation is counted once', async () => {
    const world = limiterWorld(rulesOf(tierOf()));
    world.store.failure = away;
    await world.limiter.decide({ ...requestOf(), part: 'request' });
    const again = await world.limiter.decide({ ...requestOf(), part: 'whole', isAgain: true });
    expect(again).toMatchObject({ outcome: 'ALLOW', decidedBy: 'unreachable' });
    expect(await world.samples('rate_limiter_redis_errors_total')).toEqual({ timeout: 1 });
    const counted = Object.values(await world.samples('rate_limiter_requests_total'));
    expect(counted).toEqual([1]);
  });

  it('an unexpected error counts as unreachable, and is reported', async () => {
    const world = limiterWorld(rulesOf(tierOf()));
    world.store.failure = new Error('a script broke');
    expect((await world.limiter.decide(requestOf())).decidedBy).toBe('unreachable');
    expect((await world.limiter.preview(requestOf())).decidedBy).toBe('unreachable');
    expect(world.errors).toEqual([world.store.failure, world.store.failure]);
    expect(await world.samples('rate_limiter_redis_errors_total')).toEqual({ error: 1 });
  });
});
