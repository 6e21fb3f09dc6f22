import { describe, expect, it, vi } from 'vitest';
import type { CounterUse } from '../../src/domains/limits/counters/store.js';
import type { Tier } from '../../src/platform/gate.js';
import { counterWorld } from './counter-store-world.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const world = counterWorld();

describe('a charge with a name', () => {
  const named = (name: string, given: Partial<Tier> = {}): CounterUse => ({
    ...aUse('u:alice', aTier({ algorithm: 'sliding_window_log', limit: 2, counterId: 'names', ...given })),
    name,
  });

  it('is counted once in a window, also where the limit is reached by then', async () => {
    for (const name of ['one', 'two', 'one', 'two'])
      expect((await world.store.charge([named(name)])).admitted).toBe(true);
    expect((await world.store.charge([named('three')])).admitted).toBe(false);
    expect(await world.usedBy(named('one'))).toBe(2);
    world.pass(60_000);
    expect((await world.store.charge([named('one')])).readings).toMatchObject([{ used: 1 }]);
  });

  it('is not counted any more once it is refunded', async () => {
    const { receipt } = await world.store.charge([named('one')]);
    await world.store.charge([named('two')]);
    world.store.refund(receipt);
    await vi.waitFor(async () => expect(await world.usedBy(named('one'))).toBe(1), 10_000);
    expect((await world.store.charge([named('three')])).admitted).toBe(true);
  });

  it('that was counted before is not taken out by a refund of a charge that only found it', async () => {
    await world.store.charge([named('one')]);
    const { admitted, receipt } = await world.store.charge([named('one'), aUse('u:alice', aTier())]);
    expect(admitted).toBe(true);
    expect(receipt.map(({ key }) => key)).toEqual([aUse('u:alice', aTier()).key]);
    world.store.refund(receipt);
    await vi.waitFor(async () => expect(await world.usedBy(aUse('u:alice', aTier()))).toBe(0), 10_000);
    expect(await world.usedBy(named('one'))).toBe(1);
  });

  it('that was counted before stays counted where the rest of its charge is refused', async () => {
    const full = aTier({ limit: 1, scope: 'global', counterId: 'full' });
    await world.store.charge([named('one')]);
    await world.store.charge([aUse('global', full)]);
    const refused = await world.store.charge([named('one'), aUse('global', full)]);
    expect(refused).toMatchObject({ admitted: false, violated: 1, receipt: [] });
    expect(refused.readings.map(({ used, remaining }) => [used, remaining])).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(await world.usedBy(named('one'))).toBe(1);
  });

  it.each(['1e3', '0042', '0x10', ' 7 '])(
    'that looks like a number is refunded as it is: %j',
    async (name) => {
      const { receipt } = await world.store.charge([named(name)]);
      world.store.refund(receipt);
      await vi.waitFor(async () => expect(await world.usedBy(named(name))).toBe(0), 10_000);
    },
  );

  it('is refused by the window that stays full for the longest, and counted in none', async () => {
    const minute = { limit: 1, counterId: 'minute' };
    const hour = { limit: 1, counterId: 'hour', windowSeconds: 3_600 };
    await world.store.charge([named('one', minute), named('one', hour)]);
    const refused = await world.store.charge([
      named('two', minute),
      named('two', hour),
      named('two', { counterId: 'wide' }),
    ]);
    expect(refused).toMatchObject({ admitted: false, violated: 1, receipt: [] });
    expect(refused.readings.map(({ retryAfterMs }) => retryAfterMs)).toEqual([60_000, 3_600_000, 0]);
    expect(await world.usedBy(named('two', { counterId: 'wide' }))).toBe(0);
  });

  it('may travel in one call with charges that have none', async () => {
    const plain = aUse('u:bob', aTier());
    const outcomes = await Promise.all([
      world.store.charge([plain]),
      world.store.charge([named('one')]),
      world.store.charge([plain, named('one')]),
    ]);
    expect(outcomes.map(({ readings }) => readings.map(({ used }) => used))).toEqual([[1], [1], [2, 1]]);
  });
});
