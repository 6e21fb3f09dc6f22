import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNearLimits, type NearLimits } from '../../src/domains/limits/near-limits.js';
import type { RateLimitCaller, RateLimitDecision, Tier } from '../../src/platform/gate.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { type FaultyProxy, startFaultyProxy } from '../platform/faulty-proxy.js';
import { startSingleRedis, type TestRedis } from '../support/redis.js';
import { aDecision, aTier } from './hand-made-decision.js';

const FLUSH_MS = 20;
const START = Date.now();

let server: TestRedis;
let direct: Redis;
let proxy: FaultyProxy;
let behindProxy: Redis;
let now: number;
let one: NearLimits;
let other: NearLimits;

beforeAll(async () => {
  server = await startSingleRedis();
  direct = openRedis([server.url], () => undefined);
});
afterAll(async () => {
  direct.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await direct.flushall();
  proxy = await startFaultyProxy(server.url);
  behindProxy = openRedis([proxy.url], () => undefined);
  now = START;
  const clock = { now: () => now };
  one = createNearLimits(behindProxy, { flushMs: FLUSH_MS, clock });
  other = createNearLimits(direct, { flushMs: FLUSH_MS, clock });
});
afterEach(async () => {
  one.close();
  other.close();
  behindProxy.disconnect();
  await proxy.close();
});

const user = (userId: string): RateLimitCaller => ({
  userId,
  plan: null,
  apiKeyId: null,
  network: '192.0.2.1',
});

function decision(...readings: readonly [Partial<Tier>, used: number][]): RateLimitDecision {
  return aDecision({
    readings: readings.map(([changed, used]) => {
      const tier = aTier({ limit: 100, ...changed });
      return { tier, used, remaining: Math.max(0, tier.limit - used), resetAt: now + 1_000 };
    }),
  });
}
const using = (used: number, changed: Partial<Tier> = {}) => decision([changed, used]);

const owners = async (nearLimits: NearLimits, count = 100) =>
  (await nearLimits.top(count)).map(({ owner }) => owner);
const seenBy = (nearLimits: NearLimits, expected: readonly string[]) =>
  vi.waitFor(async () => expect(await owners(nearLimits)).toEqual(expected), 10_000);

describe('the callers nearest to their limits', () => {
  it('are those of every process, the nearest first', async () => {
    one.note(user('alice'), using(85));
    one.note({ ...user(''), userId: null }, using(95, { rule: 'remote_address' }));
    other.note(user('bob'), using(100));
    await vi.waitFor(async () => {
      const top = await one.top(10);
      const seen = { seenAt: new Date(now), plan: null, apiKeyId: null };
      expect(top).toEqual([
        { owner: 'u:bob', rule: 'user_id', utilisation: 1, ...seen },
        { owner: 'n:192.0.2.1', rule: 'remote_address', utilisation: 0.95, ...seen },
        { owner: 'u:alice', rule: 'user_id', utilisation: 0.85, ...seen },
      ]);
      expect(await other.top(10)).toEqual(top);
    }, 15_000);
    expect(await owners(one, 1)).toEqual(['u:bob']);
  });

  it('are known to their own process at once', async () => {
    one.note(user('alice'), using(90));
    expect(await owners(one)).toEqual(['u:alice']);
  });

  it('are none of those who use 80 % or less, nor because of what all share, of an endpoint’s or a tiny limit, or of what is only tried out', async () => {
    one.note(user('modest'), using(80));
    one.note(user('shared'), using(99, { scope: 'global' }));
    one.note(user('shadow'), using(200, { shadow: true }));
    one.note(user('endpoint'), using(99, { level: 'endpoint' }));
    one.note(user('burst'), using(9, { limit: 9 }));
    one.note(user('free'), using(1_000, { limit: Infinity }));
    one.note(user('unknown'), { ...using(100), decidedBy: 'unreachable' });
    expect(await owners(one)).toEqual([]);
  });

  it('are shown with the fullest of their limits', async () => {
    one.note(
      user('alice'),
      decision(
        [{ rule: 'endpoint=login' }, 90],
        [{ rule: 'user_id' }, 97],
        [{ rule: 'global', scope: 'global' }, 99],
      ),
    );
    expect(await one.top(1)).toMatchObject([{ rule: 'user_id', utilisation: 0.97 }]);
  });

  it('are shown as they were seen last, whichever process saw them', async () => {
    one.note(user('alice'), using(99));
    await seenBy(other, ['u:alice']);
    now += 1_000;
    other.note(user('alice'), using(85));
    await vi.waitFor(
      async () => expect(await one.top(1)).toMatchObject([{ utilisation: 0.85, seenAt: new Date(now) }]),
      15_000,
    );
    other.note(user('alice'), using(81, { rule: 'endpoint=login' }));
    other.note(user('bob'), using(81));
    await seenBy(one, ['u:alice', 'u:bob']);
    expect(await one.top(1)).toMatchObject([{ rule: 'user_id', utilisation: 0.85 }]);
  });

  it('leave when their window is over, after five minutes at most', async () => {
    one.note(user('second'), using(99, { windowSeconds: 1 }));
    one.note(user('minute'), using(98));
    one.note(user('day'), using(97, { windowSeconds: 86_400 }));
    await seenBy(other, ['u:second', 'u:minute', 'u:day']);
    now = START + 10_000;
    expect(await owners(other)).toEqual(['u:minute', 'u:day']);
    now = START + 60_000;
    expect(await owners(other)).toEqual(['u:day']);
    now = START + 300_000;
    expect(await owners(other)).toEqual([]);
    other.note(user('late'), using(90));
    await vi.waitFor(
      async () => expect(await memory()).toEqual({ entries: 1, sorted: 1, expires: true }),
      10_000,
    );
  });

  it('are 100 at most, here and in Redis: the lowest leave', async () => {
    for (let i = 0; i < 1_000; i += 1) one.note(user(`a${i}`), using(801 + (i % 100), { limit: 1_000 }));
    expect(await owners(one)).toHaveLength(100);
    for (let i = 0; i < 60; i += 1) other.note(user(`b${i}`), using(1_000 - i, { limit: 1_000 }));
    await vi.waitFor(async () => {
      expect(await memory()).toEqual({ entries: 100, sorted: 100, expires: true });
      expect((await owners(one)).filter((owner) => owner.startsWith('u:b'))).toHaveLength(60);
    }, 15_000);
    expect((await owners(one)).slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, i) => `u:b${i}`));
  });

  it('are shown again once Redis is back, with what was seen meanwhile', async () => {
    await proxy.refuse();
    proxy.cut();
    await expect(one.top(1)).rejects.toThrow();
    for (let i = 0; i < 500; i += 1) one.note(user(`u${i}`), using(501 + i, { limit: 600 }));
    await proxy.accept();
    await vi.waitFor(async () => expect(await memory()).toMatchObject({ entries: 100 }), { timeout: 10_000 });
    expect(await owners(one, 1)).toEqual(await owners(other, 1));
  });
});

async function memory() {
  const [name] = await direct.keys('*utilisation');
  const entries = name?.replace('utilisation', 'entries') ?? '';
  return {
    entries: await direct.hlen(entries),
    sorted: await direct.zcard(name ?? ''),
    expires: (await direct.pttl(entries)) > 0 && (await direct.pttl(name ?? '')) > 0,
  };
}
