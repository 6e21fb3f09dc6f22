import { describe, expect, it } from 'vitest';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import { anonymous, limiterWorld, NOW, requestOf, rulesThat, tierOf } from './limiter-world.js';

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

  it('is shown by itself and decides only where it is violated', async () => {
    const world = limiterWorld(cost(99));
    const first = await world.limiter.decide(requestOf());
    expect(first.budget).toMatchObject({ tier: budget, used: 99, remaining: 1 });
    expect(first.decisive!.tier).toBe(user);
    const second = await world.limiter.decide(requestOf());
    expect(second).toMatchObject({ outcome: 'REJECT', decisive: { tier: budget } });
  });

  it('never admits what is larger than it will ever hold, shows what is left for less, and charges nothing', async () => {
    const world = limiterWorld(cost(101));
    expect(await world.limiter.decide(requestOf())).toMatchObject({
      outcome: 'REJECT',
      impossible: true,
      decisive: { tier: budget, remaining: 100 },
      budget: { tier: budget, remaining: 100 },
      receipt: null,
    });
    expect(world.store.asked).toEqual([]);
  });

  it('refuses that also where the store is away', async () => {
    const world = limiterWorld(cost(101));
    world.store.failure = new StoreUnreachable('connection');
    expect(await world.limiter.decide(requestOf())).toMatchObject({
      outcome: 'REJECT',
      impossible: true,
      decisive: { tier: budget, remaining: 0, resetAt: NOW + 60_000 },
    });
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

  it('and everything else is refunded once, whatever was settled before', async () => {
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
