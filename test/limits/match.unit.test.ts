import { describe, expect, it, test } from 'vitest';
import type { RateLimitRequest } from '../../src/platform/gate.js';
import { compiled } from './compiled.js';

const alice = { userId: 'alice', plan: 'pro', apiKeyId: null, network: '192.0.2.1' };
const nobody = { userId: null, plan: null, apiKeyId: null, network: '192.0.2.1' };
const asked: RateLimitRequest = { caller: alice, endpoints: new Map(), queryCost: null, part: 'whole' };
const per = (count: number, unit = 'minute') => `rate_limit: { requests_per_unit: ${count}, unit: ${unit} }`;

/** What holds for a request under these descriptors, as `rule name limit`, with the charge where it is not 1. */
function heldTo(descriptors: string, request: Partial<RateLimitRequest> = {}): string[] {
  const rules = compiled(`{ domain: d, descriptors: [${descriptors}] }`);
  return rules
    .match({ ...asked, ...request })
    .map(({ tier, charge }) => `${tier.rule} ${tier.name} ${tier.limit}${charge === 1 ? '' : ` ×${charge}`}`);
}

const calling = (...endpoints: string[]) => ({ endpoints: new Map(endpoints.map((name) => [name, 1])) });

describe('which rules hold', () => {
  const each = ['global', 'remote_address', 'user_id', 'plan', 'api_key', 'query_cost', 'endpoint']
    .map((key) => `{ key: ${key}, ${per(9)} }`)
    .join(', ');
  const names = (request: Partial<RateLimitRequest>) =>
    heldTo(each, request).map((held) => held.split(' ')[0]);

  test('a caller without a name is bound by the address', () =>
    expect(names({ caller: nobody })).toEqual(['remote_address', 'global']));
  test('a known one by name and plan, and not by the address', () =>
    expect(names({})).toEqual(['user_id', 'plan', 'global']));
  test('one with a key by the key as well', () =>
    expect(names({ caller: { ...alice, apiKeyId: 'k1' } })).toEqual([
      'user_id',
      'plan',
      'api_key',
      'global',
    ]));
  test('an operation by what it costs', () =>
    expect(names({ queryCost: 1 })).toEqual(['user_id', 'plan', 'query_cost', 'global']));
  test('endpoints come first', () =>
    expect(names(calling('login'))).toEqual(['endpoint', 'user_id', 'plan', 'global']));
});

it('the most specific rule comes first, then the shorter window, and what is shared by all comes last', () => {
  const two = 'rate_limits: [{ requests_per_unit: 9, unit: hour }, { requests_per_unit: 9, unit: second }]';
  const descriptors = `{ key: global, ${two}, descriptors: [{ key: endpoint, ${per(9)} }] },
    { key: user_id, ${two} }, { key: endpoint, ${two} }`;
  expect(heldTo(descriptors, calling('login'))).toEqual([
    'endpoint per_second 9',
    'endpoint per_hour 9',
    'user_id per_second 9',
    'user_id per_hour 9',
    'global/endpoint per_minute 9',
    'global per_second 9',
    'global per_hour 9',
  ]);
});

it('says whose counter each tier is', () => {
  const rules = compiled(`{ domain: d, descriptors: [
    { key: global, descriptors: [{ key: api_key, ${per(1)} }] }, { key: api_key, ${per(1)} },
    { key: endpoint, descriptors: [{ key: api_key, ${per(1)} }] }, { key: remote_address, ${per(1)} }, { key: query_cost, ${per(1)} } ] }`);
  expect(rules.tiers.map(({ rule, level, scope }) => `${rule} ${level} ${scope}`)).toEqual([
    'global/api_key global global',
    'api_key user api_key',
    'endpoint/api_key endpoint api_key',
    'remote_address ip caller',
    'query_cost user caller',
  ]);
});

describe('a rule inside another', () => {
  const user =
    'key: user_id, rate_limits: [{ requests_per_unit: 10, unit: second }, { requests_per_unit: 200, unit: minute }]';
  const withPlan = (plan: string) => heldTo(`{ ${user}, descriptors: [${plan}] }`);

  it('replaces the window of the same unit, and leaves the others', () =>
    expect(withPlan(`{ key: plan, value: pro, ${per(600)} }`)).toEqual([
      'user_id per_second 10',
      'user_id/plan=pro per_minute 600',
    ]));
  it('replaces nothing where it does not match', () =>
    expect(withPlan(`{ key: plan, value: free, ${per(60)} }`)).toEqual([
      'user_id per_second 10',
      'user_id per_minute 200',
    ]));
  it('adds a window that was not there', () =>
    expect(withPlan(`{ key: plan, ${per(7, 'day')} }`)).toEqual([
      'user_id per_second 10',
      'user_id per_minute 200',
      'user_id/plan per_day 7',
    ]));
  it('lifts every window where it is unlimited', () =>
    expect(withPlan('{ key: plan, value: pro, unlimited: true }')).toEqual([]));
  it('replaces nothing of rules beside it', () =>
    expect(heldTo(`{ ${user} }, { key: plan, ${per(5)} }`)).toEqual([
      'user_id per_second 10',
      'user_id per_minute 200',
      'plan per_minute 5',
    ]));
  it('does not replace what counts something else: requests, calls and points are each counted', () =>
    expect(
      heldTo(
        `{ ${user}, descriptors: [{ key: endpoint, value: Query.feed, ${per(5)} }, { key: query_cost, ${per(900)} }] }`,
        { ...calling('Query.feed'), queryCost: 40 },
      ),
    ).toEqual([
      'user_id/endpoint=Query.feed per_minute 5',
      'user_id per_second 10',
      'user_id per_minute 200',
      'user_id/query_cost per_minute 900 ×40',
    ]));
  it('for a route replaces the windows of requests above it, which that route then leaves alone', () => {
    const media = '{ key: endpoint, value: GET /media/*, unlimited: true }';
    const descriptors = `{ key: global, ${per(900)}, descriptors: [${media}] },
      { key: remote_address, ${per(9)}, descriptors: [{ key: endpoint, value: GET /media/*, ${per(300)} }] },
      { ${user}, descriptors: [${media}, { key: plan, value: pro, ${per(600)}, descriptors: [${media}] }, { key: plan, value: new, ${per(7)} }] },
      { key: endpoint, value: login, ${per(5)} }, { key: endpoint, value: GET /media/*, ${per(400)} }`;
    const own = 'endpoint=GET /media/* per_minute 400';
    const anonymous = [own, 'remote_address/endpoint=GET /media/* per_minute 300'];
    const picture = calling('GET /media/*');
    const part = 'request';
    expect(heldTo(descriptors, { ...picture, part, caller: nobody }).sort()).toEqual(anonymous);
    expect(heldTo(descriptors, { ...picture, part })).toEqual([own]);
    expect(heldTo(descriptors, { ...picture, part, caller: { ...alice, plan: 'new' } })).toEqual([
      own,
      'user_id/plan=new per_minute 7',
    ]);
    const guess = { ...calling('GET /media/*', 'login'), part, caller: nobody } as const;
    expect(heldTo(descriptors, guess).sort()).toEqual(['endpoint=login per_minute 5', ...anonymous].sort());
    expect(heldTo(descriptors, { ...calling('GET /other'), part, caller: nobody })).toEqual([
      'remote_address per_minute 9',
      'global per_minute 900',
    ]);
  });
  it('for sign-ins, or for whatever endpoint, leaves the requests that bring them counted', () =>
    expect(
      heldTo(
        `{ key: remote_address, ${per(9)}, descriptors: [{ key: endpoint, value: login, unlimited: true }, { key: endpoint, ${per(3)} }] }`,
        { ...calling('GET /a', 'login'), caller: nobody },
      ),
    ).toEqual(['remote_address/endpoint per_minute 3', 'remote_address per_minute 9']));
  it('that closes without counting holds beside windows, and is lifted by an unlimited one alone', () => {
    const closed = (inside: string) =>
      heldTo(
        `{ key: endpoint, value: "GET /feed", unlimited: true, fail: closed, descriptors: [{ key: plan, ${inside} }] }`,
        calling('GET /feed'),
      );
    expect(closed(per(5))).toEqual([
      'endpoint=GET /feed unlimited Infinity',
      'endpoint=GET /feed/plan per_minute 5',
    ]);
    expect(closed('unlimited: true')).toEqual([]);
  });
});

describe('of rules beside each other for one key the best match holds alone', () => {
  const values = ['GET /api/*', 'GET /api/orders/*', '*', 'GET /api/orders/mine', 'GET *s/{id}'];
  const descriptors = values.map((value) => `{ key: endpoint, value: "${value}", ${per(1)} }`).join(', ');
  test.each([
    ['GET /api/orders/mine', 'endpoint=GET /api/orders/mine'],
    ['GET /api/orders/*', 'endpoint=GET /api/orders/*'],
    ['GET /api/orders/*/audit', 'endpoint=GET /api/orders/*'],
    ['GET /api/feed', 'endpoint=GET /api/*'],
    ['GET /products/*', 'endpoint=GET *s/*'],
    ['POST /api/orders', 'endpoint'],
  ])('%s', (endpoint, rule) =>
    expect(heldTo(descriptors, calling(endpoint))).toEqual([`${rule} per_minute 1`]),
  );
});

describe('an endpoint with a parameter', () => {
  test.each(['GET /api/orders/{order_id}', 'GET /api/orders/:id'])('%s is that one route', (value) => {
    const descriptor = `{ key: endpoint, value: "${value}", ${per(1)} }`;
    expect(heldTo(descriptor, calling('GET /api/orders/*'))).toEqual([
      'endpoint=GET /api/orders/* per_minute 1',
    ]);
    expect(heldTo(descriptor, calling('GET /api/orders/*/audit'))).toEqual([]);
  });
});

describe('a use charges', () => {
  const twice = new Map([
    ['Query.feed', 3],
    ['Query.user', 2],
    ['Mutation.deposit', 1],
  ]);
  const costing = (key: string, cost = 1) =>
    `{ ${key}, rate_limit: { requests_per_unit: 90, unit: day, cost: ${cost} } }`;

  test('each time that one of its endpoints occurs', () => {
    expect(heldTo(costing('key: endpoint, value: Query.*', 2), { endpoints: twice })).toEqual([
      'endpoint=Query.* per_day 90 ×10',
    ]);
    expect(heldTo(costing('key: endpoint'), { endpoints: twice })).toEqual(['endpoint per_day 90 ×6']);
    expect(heldTo(costing('key: endpoint'), calling('a', 'b'))).toEqual(['endpoint per_day 90 ×2']);
  });
  test('a request once, whatever it calls', () =>
    expect(heldTo(costing('key: user_id', 3), { endpoints: twice })).toEqual(['user_id per_day 90 ×3']));
  test('an operation what it may cost, 1 at least', () => {
    expect(heldTo(costing('key: query_cost', 2), { queryCost: 30 })).toEqual(['query_cost per_day 90 ×60']);
    expect(heldTo(costing('key: query_cost'), { queryCost: 0 })).toEqual(['query_cost per_day 90']);
  });
  test('by this request’s counts and cost, whatever one of the same shape had before', () => {
    const rules = compiled(
      `{ domain: d, descriptors: [${costing('key: endpoint')}, ${costing('key: query_cost')}] }`,
    );
    const charges = (times: number, queryCost: number) =>
      rules
        .match({ ...asked, endpoints: new Map([['Query.feed', times]]), queryCost })
        .map(({ charge }) => charge);
    expect([charges(1, 5), charges(4, 6), charges(1, 7)]).toEqual([
      [1, 5],
      [4, 6],
      [1, 7],
    ]);
  });
});

it('requests of one shape get the same answer object: nothing is made anew', () => {
  const rules = compiled(
    `{ domain: d, descriptors: [{ key: user_id, ${per(1)} }, { key: endpoint, value: "GET /a*", ${per(1)} }] }`,
  );
  const answer = rules.match({ ...asked, ...calling('GET /a') });
  const bob = { ...alice, userId: 'bob', plan: 'free' };
  expect(rules.match({ ...asked, ...calling('GET /ab', 'GET /unruled'), caller: bob })).toBe(answer);
});

it('a pattern of many stars is decided at once, also where it almost matches', () => {
  const value = `${'*a'.repeat(120)}*b`;
  const [endpoint, near] = [`${'a'.repeat(50_000)}b`, 'a'.repeat(50_000)];
  const descriptor = `{ key: endpoint, value: "${value}", ${per(1)} }`;
  expect(heldTo(descriptor, calling(endpoint))).toHaveLength(1);
  expect(heldTo(descriptor, calling(near))).toEqual([]);
});

it('values never seen before make no new shapes', () => {
  const rules = compiled(`{ domain: d, descriptors: [
    { key: user_id, ${per(1)}, descriptors: [{ key: plan, value: "p*", ${per(2)} }] },
    { key: endpoint, value: "GET /a*", ${per(1)} }, { key: endpoint, ${per(3)} } ] }`);
  const ask = (n: number) => {
    const caller = { ...alice, userId: `u${n}`, plan: `p${n}` };
    return rules.match({ ...asked, caller, ...calling(`GET /a${n}`, `GET /b${n}`) });
  };
  const first = ask(0);
  for (let n = 1; n < 30_000; n += 1) if (ask(n) !== first) throw new Error(`another shape for ${n}`);
  expect(first.map(({ tier }) => tier.rule)).toEqual(['endpoint=GET /a*', 'endpoint', 'user_id/plan=p*']);
});
