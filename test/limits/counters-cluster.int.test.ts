import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import type { CounterStore } from '../../src/domains/limits/counters/store.js';
import { ALGORITHMS } from '../../src/platform/gate.js';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import { aUse, heldNoon, plainRedis } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

let cluster: TestCluster;
let redis: GuardedRedis;
let store: CounterStore;

beforeAll(async () => {
  cluster = await startTestCluster();
  redis = plainRedis(cluster.urls.join());
  store = createCounterStore(redis, () => heldNoon);
});
afterAll(async () => {
  await store?.close();
  await cluster?.stop();
});

describe('on a Cluster of three masters', () => {
  it('a caller and everybody are charged together, whatever slots they live in', async () => {
    const shared = aTier({ scope: 'global', level: 'global', limit: 1_000, counterId: 'everybody' });
    const owners = Array.from({ length: 60 }, (_, index) => `u:user${index}`);
    const outcomes = await Promise.all(
      owners.map((owner) => store.charge([aUse(owner, aTier()), aUse('global', shared)])),
    );
    expect(outcomes.every(({ admitted, receipt }) => admitted && receipt.length === 2)).toBe(true);
    expect(await usedBy('global', shared)).toBe(60);
    const readings = await store.peek([
      ...owners.map((owner) => aUse(owner, aTier())),
      aUse('global', shared),
    ]);
    expect(readings.map(({ used }) => used)).toEqual([...owners.map(() => 1), 60]);
  });

  it.each(ALGORITHMS)('a refusal by the shared counter costs the caller nothing: %s', async (algorithm) => {
    const own = aTier({ algorithm, limit: 1_000, counterId: `own-${algorithm}` });
    const full = aTier({ limit: 1, scope: 'global', counterId: `full-${algorithm}` });
    await store.charge([aUse('global', full)]);
    await store.charge([aUse('u:offender', own, 3)]);

    const outcomes = await Promise.all(
      Array.from({ length: 128 }, () => store.charge([aUse('u:offender', own, 2), aUse('global', full)])),
    );

    expect(outcomes.every(({ admitted, violated }) => !admitted && violated === 1)).toBe(true);
    expect(outcomes.every(({ receipt }) => receipt.length === 0)).toBe(true);
    expect(await usedBy('u:offender', own)).toBe(3);
    expect(await usedBy('global', full)).toBe(1);
  });

  it('a name that was counted before stays counted where the shared counter refuses the rest of its charge', async () => {
    const names = aTier({ algorithm: 'sliding_window_log', limit: 2, counterId: 'names' });
    const full = aTier({ limit: 1, scope: 'global', counterId: 'full-names' });
    const named = { ...aUse('u:named', names), name: 'one' };
    await store.charge([named]);
    await store.charge([aUse('global', full)]);
    const refused = await store.charge([named, aUse('global', full)]);
    expect(refused).toMatchObject({ admitted: false, violated: 1, receipt: [] });
    expect(refused.readings.map(({ used, remaining }) => [used, remaining])).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(await usedBy('u:named', names)).toBe(1);
  });

  it('a caller over their own limit charges nothing to the shared one, so no other caller is refused for it', async () => {
    const own = aTier({ limit: 10, counterId: 'mine' });
    const shared = aTier({ limit: 100, scope: 'global', counterId: 'shared' });
    const innocents = Array.from({ length: 90 }, (_, index) => `u:innocent${index}`);
    const charge = (owner: string) => store.charge([aUse(owner, own), aUse('global', shared)]);

    const offences = Array.from({ length: 128 }, () => charge('u:greedy'));
    const outcomes = await Promise.all(innocents.map(charge));

    expect((await Promise.all(offences)).filter(({ admitted }) => admitted)).toHaveLength(10);
    expect(outcomes.every(({ admitted }) => admitted)).toBe(true);
    expect(await usedBy('global', shared)).toBe(100);
    expect(await usedBy('u:greedy', own)).toBe(10);
  });

  it('what was charged to several owners is refunded to all of them', async () => {
    const own = aTier({ counterId: 'back' });
    const shared = aTier({ scope: 'global', counterId: 'back-shared' });
    const other = createCounterStore(plainRedis(cluster.urls.join()), () => heldNoon);
    const { receipt } = await other.charge([aUse('u:back', own, 4), aUse('global', shared, 2)]);
    other.refund(receipt);
    await other.close();
    expect([await usedBy('u:back', own), await usedBy('global', shared)]).toEqual([0, 0]);
  });

  it('owners with braces, colons and line breaks in their names keep their own counters', async () => {
    const shared = aTier({ scope: 'global', limit: 1_000, counterId: 'strange' });
    const strange = ['u:a', 'u:a}', 'u:{a}', 'u:a}:b', 'u:a\nb', 'u:a:b', 'u:}{', 'u:{', 'n:a', 'u:\r\n$1'];
    for (const [index, owner] of strange.entries())
      await store.charge([aUse(owner, aTier({ counterId: 'own' }), index + 1), aUse('global', shared)]);
    const used = await Promise.all(strange.map((owner) => usedBy(owner, aTier({ counterId: 'own' }))));
    expect(used).toEqual(strange.map((_, index) => index + 1));
  });
});

const usedBy = async (owner: string, tier: ReturnType<typeof aTier>): Promise<number> =>
  (await store.peek([aUse(owner, tier)]))[0]!.used;
