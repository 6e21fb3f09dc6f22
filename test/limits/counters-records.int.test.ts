import { describe, expect, it } from 'vitest';
import type { CounterUse } from '../../src/domains/limits/counters/store.js';
import { counterUses } from '../../src/domains/limits/owners.js';
import type { RateLimitCaller, Tier } from '../../src/platform/gate.js';
import { callsDuring, keysLike } from '../support/redis.js';
import { counterWorld } from './counter-store-world.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const world = counterWorld();

const second = aTier({ windowSeconds: 1, counterId: 'second' });
const minute = aTier({ counterId: 'minute' });
const hour = aTier({ windowSeconds: 3_600, counterId: 'hour', algorithm: 'sliding_window_counter' });
const day = aTier({ windowSeconds: 86_400, counterId: 'day' });
const budget = aTier({ counterId: 'budget', algorithm: 'token_bucket', counts: 'query_cost' });
const route = aTier({ counterId: 'route', level: 'endpoint', rule: 'endpoint=GET /api/v1/feed' });
const everybody = aTier({ counterId: 'all', level: 'global', scope: 'global', limit: 1_000 });
const alice: RateLimitCaller = { userId: 'alice', plan: null, apiKeyId: null, network: '192.0.2.1' };

const usesOf = (...tiers: Tier[]): CounterUse[] => tiers.map((tier) => aUse('u:alice', tier));
const usedOf = async (...tiers: Tier[]): Promise<number[]> => Promise.all(usesOf(...tiers).map(world.usedBy));
const lifeMs = () => world.redis.client.pttl(usesOf(minute)[0]!.key);

const COMMANDS = ['set', 'setrange', 'get', 'mget', 'incrby', 'pexpire'];
const callsOf = (work: () => Promise<unknown>) => callsDuring(world.redis.client, COMMANDS, work);

describe('the counters of a caller', () => {
  it('are read and written together, whatever the number of tiers and checks', async () => {
    const tiers = [second, minute, hour, day, budget];
    const charge = () => Promise.all(Array.from({ length: 3 }, () => world.store.charge(usesOf(...tiers))));
    expect(await callsOf(charge)).toEqual({ mget: 1, set: 1 });
    expect(await callsOf(charge)).toEqual({ mget: 1, setrange: 1 });
    expect(await usedOf(...tiers)).toEqual([6, 6, 6, 6, 6]);
    expect(await keysLike(world.redis.client, '*')).toHaveLength(1);
  });

  it('are written over where they lie, and their expiry left alone, while windows go on', async () => {
    await world.store.charge(usesOf(second, minute, day));
    world.pass(1_000);
    expect(await callsOf(() => world.store.charge(usesOf(second, minute, day)))).toEqual({
      mget: 1,
      setrange: 1,
    });
    expect(await usedOf(second, minute, day)).toEqual([1, 2, 2]);
  });

  it('have a record for each endpoint, one for each API key, and one for all of the caller', () => {
    const keyed = aTier({ counterId: 'keyed', scope: 'api_key' });
    const log = aTier({ counterId: 'log', algorithm: 'sliding_window_log' });
    const uses = [route, second, log, day, keyed, everybody].map((tier) => ({ tier, charge: 1 }));
    const keys = counterUses({ ...alice, apiKeyId: 'key1' }, uses).map(({ key }) => key);
    expect(keys).toEqual([
      expect.stringMatching(/^tidings:limit:\{u:alice\}:tiers:[0-9a-f]{16}$/),
      'tidings:limit:{u:alice}:tiers',
      'tidings:limit:{u:alice}:log',
      'tidings:limit:{u:alice}:tiers',
      'tidings:limit:{u:alice}:key1:tiers',
      'tidings:limit:{global}:tier:all',
    ]);
  });

  it('never meet those that processes of the version before keep: every tier had a key by its id', async () => {
    const before = [minute, route, everybody].map((tier) => tier.counterId);
    const keys = counterUses(
      alice,
      [minute, route, everybody].map((tier) => ({ tier, charge: 1 })),
    ).map(({ key }) => key.replace(/^.*\}:/, ''));
    for (const key of keys) expect(before).not.toContain(key);
  });
});

describe('when rules change', () => {
  it('a tier that is added begins at 0, and the others go on', async () => {
    await world.store.charge(usesOf(minute, day));
    await world.store.charge(usesOf(second, minute, hour, day));
    expect(await usedOf(second, minute, hour, day)).toEqual([1, 2, 1, 2]);
  });

  it('a tier that is withdrawn keeps its count while it lives, and leaves then', async () => {
    await world.store.charge(usesOf(minute, day));
    await world.store.charge(usesOf(day));
    expect(await usedOf(minute, day)).toEqual([1, 2]);
    const size = () => world.redis.client.strlen(usesOf(minute)[0]!.key);
    const before = await size();
    world.pass(120_000);
    await world.store.charge(usesOf(day, hour));
    expect(await size()).toBe(before + 8); // a sliding counter for a fixed window
    expect(await usedOf(minute, hour, day)).toEqual([0, 1, 3]);
  });

  it('another limit goes on with the count, and another window or algorithm is another counter', async () => {
    await world.store.charge(usesOf(minute));
    const longer = aTier({ windowSeconds: 120, counterId: 'two minutes' });
    const leaky = aTier({ algorithm: 'leaky_bucket', counterId: 'leaky' });
    expect(await usedOf({ ...minute, limit: 5, perWindow: 5 }, longer, leaky)).toEqual([1, 0, 0]);
  });

  it('processes with the old rules and with the new count together what both have', async () => {
    for (let n = 0; n < 3; n += 1) {
      await world.store.charge(usesOf(day, minute, budget));
      await world.open().charge(usesOf(second, minute, day));
    }
    expect(await usedOf(second, minute, day, budget)).toEqual([3, 6, 6, 3]);
  });

  it('a refund under other rules finds its counter, and changes no other', async () => {
    const { receipt } = await world.store.charge(usesOf(minute, budget));
    const slower = { ...budget, limit: 20, perWindow: 2 };
    await world.store.charge([...usesOf(minute, day), aUse('u:alice', slower, 3)]);
    const last = world.open();
    last.refund(receipt);
    await last.close();
    expect(await usedOf(minute, day, slower)).toEqual([1, 1, 13]);
  });
});

describe('the key of a caller', () => {
  it('lives as long as the longest of its counters', async () => {
    await world.store.charge(usesOf(second, minute));
    expect(await lifeMs()).toBeLessThanOrEqual(61_000);
    await world.store.charge(usesOf(second, minute, hour));
    expect(await lifeMs()).toBeGreaterThan(7_100_000);
    expect(await lifeMs()).toBeLessThanOrEqual(7_200_000);
    world.pass(1_000);
    await world.store.charge(usesOf(second));
    expect(await lifeMs()).toBeGreaterThan(7_100_000);
  });

  it('gets its expiry anew once a clock that was ahead is right again', async () => {
    await world.store.charge(usesOf(minute, day));
    world.pass(10 * 86_400_000);
    await world.store.charge(usesOf(minute, day));
    world.pass(-10 * 86_400_000);
    await world.redis.client.pexpire(usesOf(minute)[0]!.key, 1_000);
    await world.store.charge(usesOf(minute, day));
    expect(await lifeMs()).toBeGreaterThan(10_000_000);
    expect(await usedOf(minute, day)).toEqual([1, 1]);
  });

  it('keeps what one check charged where the next of the same call adds a counter and is refused', async () => {
    // A counter that is over, and left out when another one comes.
    await world.store.charge(usesOf(day, second));
    world.pass(5_000);
    const outcomes = await Promise.all([
      world.store.charge(usesOf(day)),
      world.store.charge([aUse('u:alice', minute), aUse('u:alice', budget, 1_000_000)]),
      world.store.charge(usesOf(day)),
    ]);
    expect(outcomes.map(({ admitted }) => admitted)).toEqual([true, false, true]);
    expect(await usedOf(day, second, minute, budget)).toEqual([3, 0, 0, 0]);
  });

  it('may be absent when one check charges it and the next adds a counter and is refused', async () => {
    const outcomes = await Promise.all([
      world.store.charge(usesOf(minute)),
      world.store.charge([aUse('u:alice', budget, 1_000_000)]),
    ]);
    expect(outcomes.map(({ admitted }) => admitted)).toEqual([true, false]);
    expect(await usedOf(minute, budget)).toEqual([1, 0]);
  });

  it('is not written by a refused check, nor is what a check before it charged undone', async () => {
    const outcomes = await Promise.all(
      [4, 9, 3].map((charge) => world.store.charge([aUse('u:alice', day), aUse('u:alice', minute, charge)])),
    );
    expect(outcomes.map(({ admitted }) => admitted)).toEqual([true, false, true]);
    expect(outcomes[1]!.readings.map(({ used }) => used)).toEqual([1, 4]);
    expect(await usedOf(day, minute)).toEqual([2, 7]);
    expect(await callsOf(() => world.store.charge([aUse('u:alice', minute, 9)]))).toEqual({ mget: 1 });
  });
});
