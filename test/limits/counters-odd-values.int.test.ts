import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { ALGORITHMS } from '../../src/platform/gate.js';
import { garbage } from '../support/garbage.js';
import { forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';
import { aUse, plainRedis } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const WINDOW_MS = 60_000;
let server: TestRedis;
let redis: ReturnType<typeof plainRedis>;
beforeAll(async () => {
  server = await startTestRedis();
  redis = plainRedis(server.url);
  await redis.client.ping();
});
beforeEach(() => forgetAll(redis.client));
afterAll(async () => {
  await redis.close();
  await server.stop();
});

describe.each(ALGORITHMS)('a counter of %s', (algorithm) => {
  const tier = aTier({ algorithm });
  const use = aUse('u:ann', tier);

  it.each(Object.keys(garbage))('begins anew where its key holds %s', async (kind) => {
    await garbage[kind]!(redis.client, use.key);
    const store = createCounterStore(redis);
    for (let charge = 1; charge <= tier.limit; charge += 1)
      expect((await store.charge([use])).admitted, `charge ${charge}`).toBe(true);
    expect((await store.charge([use])).admitted).toBe(false);
    expect(await redis.client.pttl(use.key)).toBeGreaterThan(0);
  });

  it.each([
    ['an hour', 3_600_000],
    ['a year', 365 * 86_400_000],
  ])(
    'is full no longer than its window once a clock that was %s ahead is right again',
    async (_, aheadMs) => {
      let now = Date.UTC(2026, 0, 1) * 1_000;
      const store = createCounterStore(redis, () => now);
      now += aheadMs * 1_000;
      expect((await store.charge([aUse('u:ann', tier, tier.limit)])).admitted).toBe(true);
      expect((await store.charge([use])).admitted).toBe(false);
      now -= aheadMs * 1_000;
      expect((await store.charge([use])).admitted).toBe(true);
    },
  );

  it('stays full while a clock goes back by a few seconds', async () => {
    let now = Date.UTC(2026, 0, 1) * 1_000;
    const store = createCounterStore(redis, () => now);
    expect((await store.charge([aUse('u:ann', tier, tier.limit)])).admitted).toBe(true);
    now -= 5_000_000;
    const refused = await store.charge([use]);
    expect(refused.admitted).toBe(false);
    expect(refused.readings[0]!.retryAfterMs).toBeLessThanOrEqual(2 * WINDOW_MS);
  });
});
