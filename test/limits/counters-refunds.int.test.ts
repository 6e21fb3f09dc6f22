import { describe, expect, it, vi } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { ALGORITHMS } from '../../src/platform/gate.js';
import { forgetAll, keysLike } from '../support/redis.js';
import { counterWorld, unreachable } from './counter-store-world.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const world = counterWorld();

describe('a refund', () => {
  it.each(ALGORITHMS)('never creates a counter that has gone: %s', async (algorithm) => {
    const use = aUse('u:alice', aTier({ algorithm }), 3);
    const { receipt } = await world.store.charge([use]);
    expect(await world.usedBy(use)).toBe(3);
    await forgetAll(world.redis.client);
    const last = world.open();
    last.refund(receipt);
    await last.close();
    expect(await keysLike(world.redis.client, '*')).toEqual([]);
  });

  it.each(['fixed_window', 'sliding_window_counter'] as const)(
    'after its window has ended changes nothing: %s',
    async (algorithm) => {
      const use = aUse('u:alice', aTier({ algorithm }), 4);
      const { receipt } = await world.store.charge([use]);
      const kept = await world.redis.client.get(use.key);
      world.pass(60_000);
      const last = world.open();
      last.refund(receipt);
      await last.close();
      expect(await world.redis.client.get(use.key)).toBe(kept);
    },
  );

  it.each(ALGORITHMS)(
    'of many charges, and of more than is there, ends at none in use: %s',
    async (algorithm) => {
      const use = aUse('u:alice', aTier({ algorithm }));
      const charges = await Promise.all(Array.from({ length: 10 }, () => world.store.charge([use])));
      for (const { receipt } of charges) world.store.refund(receipt);
      for (const { receipt } of charges) world.store.refund(receipt);
      await vi.waitFor(async () => expect(await world.usedBy(use)).toBe(0), 10_000);
      expect((await world.store.charge([{ ...use, charge: 10 }])).admitted).toBe(true);
    },
  );

  it.each(ALGORITHMS)('of a part refunds that part: %s', async (algorithm) => {
    const use = aUse('u:alice', aTier({ algorithm }), 8);
    const { receipt } = await world.store.charge([use]);
    world.store.refund(receipt.map((entry) => ({ ...entry, charge: 5 })));
    await vi.waitFor(async () => expect(await world.usedBy(use)).toBe(3), 10_000);
  });

  it('that cannot be sent is lost without a word', async () => {
    const { receipt } = await world.store.charge([aUse('u:alice', aTier())]);
    const away = createCounterStore(unreachable());
    away.refund(receipt);
    await expect(away.close()).resolves.toBeUndefined();
  });
});
