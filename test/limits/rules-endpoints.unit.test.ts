import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/domains/limits/rules/read-document.js';

const KNOWN = new Set([
  'Query.feed',
  'Mutation.placeOrder',
  'GET /api/orders/*',
  'POST /api/orders',
  'POST /api/accounts/*/deposit',
  'POST /graphql',
]);

const MINUTE = { rate_limit: { requests_per_unit: 1, unit: 'minute' } };

const read = (...descriptors: object[]) => readDocument(JSON.stringify({ domain: 'd', descriptors }), KNOWN);

const warningsOf = (...descriptors: object[]): string[] => {
  const checked = read(...descriptors);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.warnings.map(({ message }) => message);
};

const faultsOf = (...descriptors: object[]): string[] => {
  const checked = read(...descriptors);
  return checked.ok ? [] : checked.faults.map(({ message }) => message);
};

describe('A rule for an endpoint that exists is taken without a word', () => {
  it.each([
    ...KNOWN,
    'login',
    'log*',
    'Query.*',
    '*',
    'GET /api/orders/{order_id}',
    'GET /api/orders/:id',
    'POST /api/*',
    '*/deposit',
  ])('%s', (value) => {
    expect(warningsOf({ key: 'endpoint', value, ...MINUTE })).toEqual([]);
    expect(faultsOf({ key: 'endpoint', value, unlimited: true, fail: 'closed' })).toEqual([]);
  });
});

describe.each([
  ['a misspelt root field', 'Mutation.placeOrdr', 'there is no such root field'],
  ['a root field of another type', 'Query.placeOrder', 'there is no such root field'],
  ['an unknown route', 'POST /api/order', 'there is no such route behind the gate'],
  ['a route’s other method', 'PUT /api/orders', 'there is no such route behind the gate'],
  ['a route with a value in it', 'GET /api/orders/42', 'there is no such route behind the gate'],
  ['a pattern of no root field', 'Mutation.place*r_', 'no root field, and no route behind the gate, matches'],
  ['a pattern of no route', 'DELETE /api/*', 'no root field, and no route behind the gate, matches'],
])('A rule for %s', (_, value, why) => {
  it('is warned of by its path', () => {
    expect(warningsOf({ key: 'user_id', descriptors: [{ key: 'endpoint', value, ...MINUTE }] })).toEqual([
      `the rule 'user_id/endpoint=${value}' never holds: ${why}`,
    ]);
  });

  it('is refused where it fails closed, itself or nested: what it is to protect would go unprotected', () => {
    const fault = [`this rule fails closed, and could never hold: ${why}; got '${value}'`];
    expect(faultsOf({ key: 'endpoint', value, unlimited: true, fail: 'closed' })).toEqual(fault);
    expect(faultsOf({ key: 'endpoint', value, fail: 'closed', ...MINUTE })).toEqual(fault);
    const nested = { key: 'plan', value: 'free', unlimited: true, fail: 'closed' };
    expect(faultsOf({ key: 'endpoint', value, descriptors: [nested] })).toEqual(fault);
  });

  it('is only warned of where it watches: it protects nothing', () => {
    expect(warningsOf({ key: 'endpoint', value, fail: 'closed', shadow: true, ...MINUTE })).toHaveLength(1);
  });
});

it('A warning names the place in the document', () => {
  const document = 'domain: d\ndescriptors:\n  - key: endpoint\n    value: Query.fed\n    unlimited: true\n';
  expect(readDocument(document, KNOWN)).toMatchObject({
    ok: true,
    warnings: [{ line: 4, column: 12, path: ['descriptors', '0', 'value'] }],
  });
});

it('Where the endpoints are not known, no rule is refused for its endpoint', () => {
  const document = JSON.stringify({
    domain: 'd',
    descriptors: [{ key: 'endpoint', value: 'Query.x', ...MINUTE }],
  });
  expect(readDocument(document)).toMatchObject({ ok: true, warnings: [] });
});

describe('A rule whose path no request can have is refused, whatever the endpoints are', () => {
  const below = (upper: object, lower: object) =>
    faultsOf({ ...upper, descriptors: [{ ...lower, ...MINUTE }] });
  const CALLERS = [{ key: 'user_id' }, { key: 'plan', value: 'pro' }, { key: 'api_key' }];

  it.each(CALLERS)('an address and $key', (known) => {
    const message =
      'this rule could never hold: remote_address is for anonymous callers; user_id, plan and api_key are for known ones';
    expect(below({ key: 'remote_address' }, known)).toEqual([message]);
    expect(below(known, { key: 'remote_address' })).toEqual([message]);
  });

  it.each(CALLERS)('login and $key', (known) => {
    const message =
      'this rule could never hold: login is charged to anonymous callers: wrong credentials make nobody known';
    expect(below({ key: 'endpoint', value: 'login' }, known)).toEqual([message]);
    expect(below(known, { key: 'endpoint', value: 'login' })).toEqual([message]);
  });

  it.each(['POST /api/orders', 'POST /api/*', 'login', 'GET*'])('the query cost of %s', (value) => {
    const message =
      'this rule could never hold: query_cost is of GraphQL operations, whose endpoints are Type.field';
    expect(below({ key: 'query_cost' }, { key: 'endpoint', value })).toEqual([message]);
  });

  it.each(['Query.*', 'Q*', '*'])('but the query cost of %s is taken', (value) => {
    expect(below({ key: 'query_cost' }, { key: 'endpoint', value })).toEqual([]);
  });
});
