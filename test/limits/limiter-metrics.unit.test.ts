import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alice, anonymous, limiterWorld, requestOf, rulesOf, tierOf } from './limiter-world.js';

const REQUESTS = 'rate_limiter_requests_total';
const UTILISATION = 'rate_limiter_utilisation_ratio';

describe('An operator sees', () => {
  it('each decision by its result, the tier that decided, and the endpoint as rules name it', async () => {
    const search = tierOf({ rule: 'endpoint=GET /api/search/plan=pro', level: 'endpoint', limit: 2 });
    const world = limiterWorld(rulesOf(search));
    for (let i = 0; i < 4; i += 1) await world.limiter.decide(requestOf());
    world.limiter.decideLocally(requestOf());
    expect(await world.samples(REQUESTS)).toEqual({
      'allowed | endpoint=GET /api/search/plan=pro | GET /api/search': 2,
      'rejected | endpoint=GET /api/search/plan=pro | GET /api/search': 3,
    });
    await world.limiter.decide(requestOf());
    expect(Object.values(await world.samples(REQUESTS))).toEqual([2, 4]);
  });

  it('endpoints that no rule names as one', async () => {
    const world = limiterWorld(rulesOf(tierOf({ rule: 'endpoint', level: 'endpoint' }), tierOf()));
    await world.limiter.decide(requestOf({ endpoints: new Map([['GET /anything', 1]]) }));
    world.rules = rulesOf();
    await world.limiter.decide(requestOf());
    expect(await world.samples(REQUESTS)).toEqual({
      'allowed | endpoint | other': 1,
      'allowed | none | other': 1,
    });
  });

  it('what a withdrawn rule counted once more, and then its labels no longer', async () => {
    const kept = tierOf({ rule: 'user_id', limit: 100 });
    const gone = tierOf({ rule: 'endpoint=GET /api/search', level: 'endpoint', limit: 1 });
    const watching = tierOf({
      rule: 'endpoint=GET /api/search/plan',
      level: 'endpoint',
      limit: 1,
      shadow: true,
    });
    const world = limiterWorld(rulesOf(kept, gone, watching));
    for (let i = 0; i < 3; i += 1) await world.limiter.decide(requestOf());
    const labels = async () => (await world.registry.metrics()).match(/endpoint=GET/g)?.length ?? 0;
    expect(await labels()).toBeGreaterThan(0);
    await world.limiter.decide(requestOf());
    world.rules = rulesOf(kept);
    expect(await labels()).toBeGreaterThan(0);
    expect(await labels()).toBe(0);
    await world.limiter.decide(requestOf());
    expect(await world.samples(REQUESTS)).toEqual({ 'allowed | user_id | other': 1 });
    expect(await labels()).toBe(0);
  });

  it('how near callers of each plan came to limits of their own in the last while', async () => {
    const own = tierOf({ limit: 40, cost: 10 });
    const everybody = tierOf({ rule: 'global', scope: 'global', level: 'global', limit: 10 });
    const endpoint = tierOf({ rule: 'endpoint', level: 'endpoint', limit: 10, cost: 5 });
    const burst = tierOf({ rule: 'burst', limit: 9, cost: 4 });
    const world = limiterWorld(rulesOf(own, everybody, endpoint, burst));
    await world.limiter.decide(requestOf());
    await world.limiter.decide(requestOf());
    await world.limiter.decide(requestOf({ caller: anonymous }));
    await world.limiter.decide(requestOf({ caller: { ...alice, userId: 'bob', plan: 'made up' } }));
    const seen = { pro: 0.5, anonymous: 0.25, other: 0.25 };
    expect(await world.samples(UTILISATION)).toEqual(seen);
    world.pass(30_000);
    expect(await world.samples(UTILISATION)).toEqual(seen);
    world.pass(30_000);
    expect(await world.samples(UTILISATION)).toEqual({});
  });

  it('the time of checks that asked the counters', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 1 })));
    for (let i = 0; i < 3; i += 1) await world.limiter.decide(requestOf());
    const text = await world.registry.getSingleMetricAsString('rate_limiter_check_duration_seconds');
    expect(text).toContain('rate_limiter_check_duration_seconds_bucket{le="0.0001"} 2');
  });

  it('each decision among those near their limits, except where nothing limits', async () => {
    const world = limiterWorld(rulesOf(tierOf({ limit: 1 })));
    for (let i = 0; i < 3; i += 1) await world.limiter.decide(requestOf());
    world.rules = rulesOf();
    await world.limiter.decide(requestOf());
    expect(world.noted.map(({ decidedBy }) => decidedBy)).toEqual(['store', 'store', 'memory']);
  });
});

describe('The alerts that come with the product', () => {
  interface Alert {
    readonly alert: string;
    readonly expr: string;
    readonly for?: string;
  }
  async function alerts(): Promise<readonly Alert[]> {
    const file = new URL('../../docs/alerts/limits.yml', import.meta.url);
    const document: { groups: { rules: Alert[] }[] } = parse(await readFile(file, 'utf8'));
    return document.groups.flatMap(({ rules }) => rules);
  }

  it('are the four of the document, with its thresholds', async () => {
    const found = (await alerts()).map((alert) => [
      alert.alert,
      // With `… or …`, each side has a threshold.
      [...alert.expr.matchAll(/> ([\d.]+)/g)].map(([, threshold]) => Number(threshold)),
      [...new Set([...alert.expr.matchAll(/\[(\w+)\]/g)].map(([, range]) => range))],
      alert.for,
    ]);
    expect(found).toEqual([
      ['RateLimiterRejectsMuch', [0.1], ['5m'], undefined],
      ['RateLimiterChecksAreSlow', [0.005], ['5m'], '5m'],
      ['RateLimiterStoreFails', [0, 0], ['5m'], undefined],
      ['RateLimiterTopUsersNearLimit', [0.9], [], '5m'],
    ]);
    const slow = (await alerts()).find(({ alert }) => alert === 'RateLimiterChecksAreSlow');
    expect(slow?.expr).toContain('histogram_quantile(0.99,');
  });

  it('look at metrics that the limiter has', async () => {
    const registered = limiterWorld(rulesOf())
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    for (const { expr } of await alerts()) {
      const named = expr.match(/rate_limiter_\w+/g) ?? [];
      expect(named).not.toEqual([]);
      for (const name of named) expect(registered).toContain(name.replace(/_bucket$/, ''));
    }
  });
});
