import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { type Rules, readRules } from '../../src/domains/limits/rules/rules.js';
import type { RateLimitRequest } from '../../src/platform/gate.js';
import { compiled as good } from './compiled.js';

async function inForce(document: string): Promise<Rules> {
  const parsed = await readRules(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.rules;
}

const shipped = (name: string) => readFileSync(new URL(`../../rules/${name}.yaml`, import.meta.url), 'utf8');

const asked: RateLimitRequest = {
  caller: { userId: 'alice', plan: 'pro', apiKeyId: null, network: '192.0.2.1' },
  endpoints: new Map(),
  queryCost: 5_000,
  part: 'whole',
};
const anonymous = { userId: null, plan: null, apiKeyId: null, network: '192.0.2.1' };

/** What holds, as `rule name limit`. */
const heldTo = (rules: Rules, request: Partial<RateLimitRequest>) =>
  rules.match({ ...asked, ...request }).map(({ tier }) => `${tier.rule} ${tier.name} ${tier.limit}`);

describe('the rules that come with the product', () => {
  test('hold a free caller to 60 a minute, and the other three windows as for everybody', async () => {
    const rules = await inForce(shipped('default'));
    expect(rules.domain).toBe('tidings');
    expect([...rules.plans]).toEqual(['free', 'pro', 'enterprise']);
    expect(heldTo(rules, { caller: { ...asked.caller, plan: 'free' } })).toEqual([
      'user_id per_second 10',
      'query_cost/plan=free per_second 10000',
      'user_id/plan=free per_minute 60',
      'user_id per_hour 5000',
      'user_id per_day 50000',
      'global per_minute 10000',
    ]);
    expect(heldTo(rules, { caller: anonymous, queryCost: null })).toEqual([
      'remote_address per_minute 100',
      'global per_minute 10000',
    ]);
  });

  test.each([
    ['pro', 600],
    ['enterprise', 6_000],
  ])('let a caller of %s use all of %d a minute', async (plan, perMinute) => {
    const rules = await inForce(shipped('default'));
    const uses = rules.match({ ...asked, caller: { ...asked.caller, plan }, queryCost: null });
    const inOneWindow = uses.filter(({ tier }) => tier.windowSeconds >= 60).map(({ tier }) => tier.limit);
    expect(Math.min(...inOneWindow)).toBe(perMinute);
    for (const { tier } of uses.filter(({ tier: { windowSeconds } }) => windowSeconds === 1)) {
      expect(tier.limit * 60).toBeGreaterThanOrEqual(perMinute);
    }
  });

  test('keep searches waiting, sign-ins to five tries, and money behind counters that answer', async () => {
    const rules = await inForce(shipped('default'));
    const held = (endpoint: string) =>
      rules
        .match({ ...asked, endpoints: new Map([[endpoint, 1]]) })
        .find(({ tier }) => tier.level === 'endpoint')?.tier;
    expect(held('Query.searchUsers')).toMatchObject({
      algorithm: 'leaky_bucket',
      perWindow: 20,
      windowSeconds: 60,
      action: 'throttle',
    });
    expect(held('login')).toMatchObject({ limit: 5, windowSeconds: 60, action: 'reject', fail: 'closed' });
    const unlimited = ['Mutation.placeOrder', 'Mutation.deposit', 'Mutation.withdraw', 'POST /api/orders'];
    for (const money of [...unlimited, 'POST /api/accounts/*/deposit', 'POST /api/accounts/*/withdraw'])
      expect(held(money)).toMatchObject({ limit: Number.POSITIVE_INFINITY, fail: 'closed' });
    for (const transfer of ['Mutation.transferMoney', 'POST /api/accounts/*/transfer'])
      expect(held(transfer)).toMatchObject({ limit: 600, fail: 'closed' });
    expect(held('Mutation.upsertProfile')).toBeUndefined();
  });

  test('have no budget of points below the cost of the dearest operation', async () => {
    const budgets = (await inForce(shipped('default'))).tiers.filter(({ rule }) =>
      rule.startsWith('query_cost'),
    );
    expect(budgets).toHaveLength(4);
    for (const { limit } of budgets) expect(limit).toBeGreaterThanOrEqual(5_000);
  });

  test('have the same rules for a laptop, with limits a thousand times as high', async () => {
    const [own, roomy] = [await inForce(shipped('default')), await inForce(shipped('start'))];
    expect(roomy.tiers).toEqual(
      own.tiers.map((tier) => ({ ...tier, limit: tier.limit * 1_000, perWindow: tier.perWindow * 1_000 })),
    );
  });

  test('count every tier in a benchmark, and never refuse it', async () => {
    const rules = await inForce(shipped('bench'));
    expect(heldTo(rules, {})).toEqual(
      [
        'user_id per_second',
        'query_cost per_second',
        'user_id per_minute',
        'user_id per_hour',
        'user_id per_day',
        'global per_minute',
      ].map((tier) => `${tier} 1000000000`),
    );
  });
});

it('JSON and YAML say the same', async () => {
  const yaml = await inForce(shipped('default'));
  const json = await inForce(JSON.stringify(parse(shipped('default'))));
  expect(json.tiers).toEqual(yaml.tiers);
  expect(json.version).not.toBe(yaml.version);
});

it('a version is the document’s own: the same text has the same, any other another', async () => {
  const document = 'domain: d\ndescriptors: []\n';
  const rules = await inForce(document);
  expect(rules).toMatchObject({ document, tiers: [] });
  expect(rules.version).toMatch(/^[0-9a-f]{12}$/);
  expect((await inForce(document)).version).toBe(rules.version);
  expect((await inForce(`${document}#`)).version).not.toBe(rules.version);
});

it('settings beside a limit are those of each of its windows', async () => {
  const rules = good(`domain: d
descriptors:
  - key: user_id
    algorithm: token_bucket
    burst: 30
    soft_limit: 20
    cost: 2
    fail: closed
    shadow: true
    action: throttle
    rate_limits:
      - { requests_per_unit: 1, unit: second }
      - { requests_per_unit: 9, unit: day, name: daily }
`);
  const both = {
    ...{
      rule: 'user_id',
      level: 'user',
      scope: 'caller',
      counts: 'requests',
      algorithm: 'token_bucket',
      limit: 30,
      softLimit: 20,
    },
    ...{
      cost: 2,
      fail: 'closed',
      shadow: true,
      action: 'throttle',
      counterId: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  };
  expect(rules.tiers).toEqual([
    { ...both, name: 'per_second', windowSeconds: 1, perWindow: 1 },
    { ...both, name: 'daily', windowSeconds: 86_400, perWindow: 9 },
  ]);
});

it('the short names of the sliding windows are the long ones', async () => {
  const named = async (name: string) =>
    good(
      `{ domain: d, descriptors: [{ key: global, rate_limit: { requests_per_unit: 5, unit: day, algorithm: ${name} } }] }`,
    ).tiers;
  expect(await named('sliding_log')).toEqual(await named('sliding_window_log'));
  expect(await named('sliding_counter')).toEqual(await named('sliding_window_counter'));
});

describe('a counter', () => {
  const counterOf = async (path: string, limit: string) =>
    good(`{ domain: d, descriptors: [{ ${path}, rate_limit: { ${limit} } }] }`).tiers[0]!.counterId;
  const path = 'key: plan, value: pro';

  it('goes on where only the limit changes', async () => {
    const before = await counterOf(path, 'requests_per_unit: 5, unit: day');
    expect(await counterOf(path, 'requests_per_unit: 50, unit: day, soft_limit: 7, fail: closed')).toBe(
      before,
    );
  });

  it.each([
    ['another window', path, 'requests_per_unit: 5, unit: hour'],
    ['another algorithm', path, 'requests_per_unit: 5, unit: day, algorithm: token_bucket'],
    ['another value', 'key: plan, value: free', 'requests_per_unit: 5, unit: day'],
    ['no value', 'key: plan', 'requests_per_unit: 5, unit: day'],
    ['another key', 'key: user_id, value: pro', 'requests_per_unit: 5, unit: day'],
  ])('begins anew with %s', async (_, otherPath, limit) => {
    const before = await counterOf(path, 'requests_per_unit: 5, unit: day');
    expect(await counterOf(otherPath, limit)).not.toBe(before);
  });
});

it('a rule is named so that no two have one name, whatever their values hold', async () => {
  const limit = 'rate_limit: { requests_per_unit: 1, unit: day }';
  const rules = good(`domain: d
descriptors:
  - { key: endpoint, value: GET /api/search, ${limit} }
  - { key: endpoint, value: 'GET /plan=pro', ${limit} }
  - { key: endpoint, value: '*%2Fplan=pro', ${limit} }
  - { key: endpoint, value: 'GET *', descriptors: [{ key: plan, value: pro, ${limit} }] }
  - { key: plan, value: 'a=b/c 100%', ${limit} }
`);
  expect(rules.tiers.map(({ rule }) => rule)).toEqual([
    'endpoint=GET /api/search',
    'endpoint=GET %2Fplan=pro',
    'endpoint=*%252Fplan=pro',
    'endpoint=GET */plan=pro',
    'plan=a=b/c 100%',
  ]);
});

it('nobody can change rules that are in force', async () => {
  const rules = await inForce(shipped('default'));
  const uses = rules.match({ ...asked, queryCost: null });
  for (const shared of [rules, rules.tiers, ...rules.tiers, uses, ...uses])
    expect(shared).toSatisfy(Object.isFrozen);
});
