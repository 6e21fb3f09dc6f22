import { describe, expect, it } from 'vitest';
import { failedSignIn, requestEndpoints } from '../../src/edge/gate/rate-limit-check.js';
import { OPERATION_ENDPOINT, type RateLimitRequest } from '../../src/platform/gate.js';
import { alice, anonymous, limiterWorld, NOW, rulesOf, rulesThat, tierOf } from './limiter-world.js';

const bob = { ...alice, userId: 'bob' };
const toGraphQL = (caller = alice): RateLimitRequest => ({
  caller,
  endpoints: new Map([[OPERATION_ENDPOINT, 1]]),
  queryCost: null,
  part: 'request',
});
const operation = (caller = alice): RateLimitRequest => ({
  ...toGraphQL(caller),
  queryCost: 10,
  part: 'whole',
});
const guess = (network: string, endpoint = 'GET /api/orders/*'): RateLimitRequest => ({
  caller: { ...anonymous, network },
  endpoints: requestEndpoints(endpoint, 'wrong'),
  queryCost: null,
  part: 'request',
});

/** A budget of operations that is used up; nothing else is limited. */
function usedUpBudget(tier = tierOf({ rule: 'user_id/query_cost', limit: 10, windowSeconds: 3_600 })) {
  const world = limiterWorld(rulesOf(tier));
  world.rules = {
    ...world.rules,
    match: ({ queryCost }) => (queryCost === null ? [] : [{ tier, charge: 10 }]),
  };
  const refuse = async (times: number, request: RateLimitRequest) => {
    for (let n = 0; n < times; n += 1) expect((await world.limiter.decide(request)).outcome).toBe('REJECT');
  };
  return { world, refuse };
}

describe('a caller whose operations were refused more than five times within a second', () => {
  it('is refused requests to GraphQL until that second is over, whatever limit refused before', async () => {
    const { world, refuse } = usedUpBudget();
    await world.limiter.decide(operation());
    await refuse(5, operation());
    expect(world.limiter.decideLocally(toGraphQL())?.outcome).toBe('ALLOW');
    await refuse(1, operation());
    world.pass(999);
    expect(world.limiter.decideLocally(toGraphQL())).toMatchObject({
      outcome: 'REJECT',
      decidedBy: 'memory',
      retryAfterMs: 1,
      impossible: false,
      readings: [],
      decisive: { tier: { rule: 'refused_operations', limit: 5, windowSeconds: 1 }, resetAt: NOW + 1_000 },
    });
    const counted = await world.samples('rate_limiter_requests_total');
    expect(counted['rejected | refused_operations | other']).toBe(1);
    world.pass(1);
    expect(world.limiter.decideLocally(toGraphQL())?.outcome).toBe('ALLOW');
  });

  it('may still use everything but GraphQL, and nobody else is refused', async () => {
    const { world, refuse } = usedUpBudget();
    await world.limiter.decide(operation());
    await refuse(6, operation());
    expect(world.limiter.decideLocally(toGraphQL({ ...alice, network: '203.0.113.5' }))?.outcome).toBe(
      'REJECT',
    );
    expect(world.limiter.decideLocally(toGraphQL(bob))?.outcome).toBe('ALLOW');
    expect(world.limiter.decideLocally(toGraphQL(anonymous))?.outcome).toBe('ALLOW');
    expect(
      world.limiter.decideLocally({ ...toGraphQL(), endpoints: new Map([['GET /api/orders/*', 1]]) })
        ?.outcome,
    ).toBe('ALLOW');
  });

  it('goes on with other operations where they were refused only because the counters were away', async () => {
    const { world, refuse } = usedUpBudget(
      tierOf({ rule: 'user_id/query_cost', limit: 100, fail: 'closed' }),
    );
    world.store.failure = new Error('away');
    await refuse(10, operation());
    expect(world.limiter.decideLocally(toGraphQL())?.outcome).toBe('ALLOW');
  });

  it('gets the end of that second, also where the operation can never be admitted', async () => {
    const tier = tierOf({ rule: 'user_id/query_cost', limit: 5 });
    const { world, refuse } = usedUpBudget(tier);
    await refuse(6, operation());
    expect(world.limiter.decideLocally(toGraphQL())).toMatchObject({
      impossible: false,
      retryAfterMs: 1_000,
    });
  });
});

describe('a network with more than five refused sign-ins within a second', () => {
  it.each([
    ['the counters', 0],
    ['the cache', 1],
  ])('that %s refused has no more of them looked up until that second is over', async (_, passedBefore) => {
    const tier = tierOf({ limit: 1, windowSeconds: 3_600 });
    const world = limiterWorld(rulesThat([tier], [{ tier, charge: 1 }]));
    world.rules = {
      ...world.rules,
      match: ({ endpoints }) => (endpoints.size > 1 ? [{ tier, charge: 1 }] : []),
    };
    for (let n = 0; n < 1 + passedBefore; n += 1) await world.limiter.decide(guess('192.0.2.1'));
    for (let n = passedBefore; n < 5; n += 1) await world.limiter.decide(guess('192.0.2.1'));
    expect(world.limiter.decideLocally(failedSignIn('192.0.2.1'))?.outcome).toBe('ALLOW');
    world.limiter.decideLocally(guess('192.0.2.1', OPERATION_ENDPOINT));
    world.pass(999);
    expect(world.limiter.decideLocally(failedSignIn('192.0.2.1'))).toMatchObject({
      outcome: 'REJECT',
      decisive: { tier: { rule: 'refused_sign_ins' } },
    });
    expect(world.limiter.decideLocally(failedSignIn('192.0.2.2'))?.outcome).toBe('ALLOW');
    world.pass(1);
    expect(world.limiter.decideLocally(failedSignIn('192.0.2.1'))?.outcome).toBe('ALLOW');
  });
});

it('a network’s refused sign-ins end with their second, however often it asks meanwhile', async () => {
  const tier = tierOf({ limit: 1, windowSeconds: 3_600 });
  const world = limiterWorld(rulesThat([tier], [{ tier, charge: 1 }]));
  world.rules = {
    ...world.rules,
    match: ({ endpoints }) => (endpoints.size > 1 ? [{ tier, charge: 1 }] : []),
  };
  for (let n = 0; n < 7; n += 1) await world.limiter.decide(guess('192.0.2.1'));
  for (let n = 0; n < 20; n += 1) {
    expect(world.limiter.decideLocally(failedSignIn('192.0.2.1'))?.outcome).toBe('REJECT');
    world.pass(50);
  }
  expect(world.limiter.decideLocally(failedSignIn('192.0.2.1'))?.outcome).toBe('ALLOW');
});

it('admitted operations, and requests that were refused before their operation was known, count for nothing', async () => {
  const tier = tierOf({ limit: 1, windowSeconds: 3_600 });
  const world = limiterWorld(rulesThat([tier], [{ tier, charge: 1 }]));
  for (let n = 0; n < 20; n += 1) await world.limiter.decide(toGraphQL());
  world.rules = rulesOf(tierOf({ limit: 1_000 }));
  for (let n = 0; n < 20; n += 1) await world.limiter.decide(operation());
  expect(world.limiter.decideLocally(toGraphQL())).toBeUndefined();
});
