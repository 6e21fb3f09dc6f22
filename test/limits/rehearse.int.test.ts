import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { openGuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import type { CounterStore } from '../../src/domains/limits/counters/store.js';
import { createLimiter, type Limiter } from '../../src/domains/limits/limiter.js';
import { createNearLimits, type NearLimits } from '../../src/domains/limits/near-limits.js';
import { rehearse } from '../../src/domains/limits/rehearse.js';
import { type Rules, readRules } from '../../src/domains/limits/rules/rules.js';
import type { RateLimitCaller } from '../../src/platform/gate.js';
import type { Redis } from '../../src/platform/redis/redis.js';
import { connectTo, forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';

const IN_FORCE = `
domain: test
descriptors:
  - key: remote_address
    rate_limit: { requests_per_unit: 10, unit: day }
  - key: user_id
    rate_limit: { requests_per_unit: 20, unit: day }
    descriptors:
      - { key: plan, value: pro, rate_limit: { requests_per_unit: 100, unit: day } }
`;

let server: TestRedis;
let redis: Redis;
let store: CounterStore;
let limiter: Limiter;
let nearLimits: NearLimits;

beforeAll(async () => {
  server = await startTestRedis();
  redis = await connectTo(server);
  store = createCounterStore(
    openGuardedRedis({ urls: server.url.split(','), onError: () => undefined, timeoutMs: 5_000 }),
  );
});
afterAll(async () => {
  nearLimits.close();
  await store.close();
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await forgetAll(redis);
  nearLimits?.close();
  nearLimits = createNearLimits(redis, { flushMs: 20 });
  const rules = await rulesOf(IN_FORCE);
  limiter = createLimiter({ rules: () => rules, store, metrics: new Registry(), nearLimits });
  const request = { caller: someone, endpoints: new Map(), queryCost: null, part: 'whole' } as const;
  await vi.waitFor(async () => expect((await limiter.preview(request)).decidedBy).toBe('store'), 10_000);
});

const someone: RateLimitCaller = { userId: 'ann', plan: 'free', apiKeyId: null, network: '192.0.2.1' };

async function rulesOf(document: string): Promise<Rules> {
  const read = await readRules(document);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.rules;
}

async function ask(caller: RateLimitCaller, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1)
    await limiter.decide({ caller, endpoints: new Map(), queryCost: null, part: 'whole' });
}

const rehearsed = async (document: string) =>
  (await rehearse({ limiter, nearLimits }, await rulesOf(document), 10))
    .map(({ near, current, proposed }) => ({
      owner: near.owner,
      before: [current.outcome, current.readings.map(({ tier, used }) => [tier.rule, tier.limit, used])],
      after: [proposed.outcome, proposed.readings.map(({ tier, used }) => [tier.rule, tier.limit, used])],
    }))
    .toSorted((a, b) => a.owner.localeCompare(b.owner));

it('says of each caller near a limit what is decided now and what another document would decide, and charges nothing', async () => {
  await ask(someone, 17);
  await ask({ ...someone, userId: 'pia', plan: 'pro' }, 90);
  await ask({ ...someone, userId: null, plan: null }, 10);
  const document = `
domain: test
descriptors:
  - key: user_id
    rate_limit: { requests_per_unit: 15, unit: day }
    descriptors:
      - { key: plan, value: pro, rate_limit: { requests_per_unit: 500, unit: day } }
  - key: remote_address
    rate_limit: { requests_per_unit: 10, unit: hour }
`;
  const expected = [
    // Its window is another: it begins anew.
    {
      owner: 'n:192.0.2.1',
      before: ['REJECT', [['remote_address', 10, 10]]],
      after: ['ALLOW', [['remote_address', 10, 0]]],
    },
    // Another limit, the same counter.
    { owner: 'u:ann', before: ['ALLOW', [['user_id', 20, 17]]], after: ['REJECT', [['user_id', 15, 17]]] },
    {
      owner: 'u:pia',
      before: ['ALLOW', [['user_id/plan=pro', 100, 90]]],
      after: ['ALLOW', [['user_id/plan=pro', 500, 90]]],
    },
  ];
  expect(await rehearsed(document)).toEqual(expected);
  expect(await rehearsed(document)).toEqual(expected);
  expect((await rehearsed('domain: test\ndescriptors: []')).map(({ after }) => after)).toEqual(
    Array(3).fill(['ALLOW', []]),
  );
});

it('leaves out callers whose plan is not known, since a process of the version before saw them', async () => {
  await ask(someone, 19);
  const seenAt = Date.now();
  const sighting = { owner: 'u:old', rule: 'user_id', utilisation: 1, seenAt, expiresAt: seenAt + 60_000 };
  await redis.hset('tidings:{near-limits}:entries', 'u:old', JSON.stringify(sighting));
  expect((await nearLimits.top(10)).map(({ owner }) => owner)).toEqual(['u:old', 'u:ann']);
  expect((await rehearsed(IN_FORCE)).map(({ owner }) => owner)).toEqual(['u:ann']);
});
