import { describe, expect, it, test } from 'vitest';
import { readDocument } from '../../src/domains/limits/rules/read-document.js';
import { isPlan, isUserId } from '../../src/platform/auth/auth.js';

/** What is wrong with a rule for the value; empty where the rule is good. */
function faultsOf(key: string, value: string): string[] {
  const rule = { key, value, rate_limit: { requests_per_unit: 1, unit: 'day' } };
  const read = readDocument(JSON.stringify({ domain: 'd', descriptors: [rule] }));
  return read.ok ? [] : read.faults.map(({ message }) => message);
}

const KINDS = 'remote_address is an IPv4 address, an IPv6 /64, or a pattern with *';
const ENDPOINTS =
  "an endpoint is 'METHOD /path', 'login', or a root field as 'Query.field', 'Mutation.field' or 'Subscription.field'";
const KEY_ID = 'api_key is the id of a key, 16 of 0 to 9 and small a to f, and not the key itself';

describe('a value that some request may have is taken', () => {
  test.each([
    ['remote_address', '192.0.2.1'],
    ['remote_address', '10.*'],
    ['remote_address', '2001:db8:1:2::/64'],
    ['remote_address', '2001:db8:*'],
    ['remote_address', '*'],
    ['user_id', 'alice'],
    ['user_id', 'team:*'],
    ['plan', 'pro plus'],
    ['api_key', '0123456789abcdef'],
    ['api_key', '01*'],
    ['endpoint', 'login'],
    ['endpoint', 'GET /'],
    ['endpoint', 'GET /api/orders/{order_id}'],
    ['endpoint', 'Query._entities'],
    ['endpoint', 'Subscription.*'],
    ['endpoint', 'P* /api/*'],
    ['endpoint', 'Mut*'],
    ['endpoint', 'log*'],
    ['endpoint', '*Order'],
    ['endpoint', '* /graphql'],
  ])('%s %s', (key, value) => expect(faultsOf(key, value)).toEqual([]));
});

describe('an address that no caller has is refused, and the spelling that is meant is named', () => {
  test.each([
    ['10.0.0.0/8', "CIDRs are not read: write '10.*'"],
    ['10.1.0.0/16', "CIDRs are not read: write '10.1.*'"],
    ['10.1.2.0/24', "CIDRs are not read: write '10.1.2.*'"],
    ['10.1.2.3/32', "write '10.1.2.3'"],
    ['0.0.0.0/0', "CIDRs are not read: write '*'"],
    ['172.16.0.0/12', "CIDRs are not read, and no one pattern is a /12: write several, like '172.16.*'"],
    ['192.0.2.4/30', 'CIDRs are not read, and no pattern is a /30: write each address'],
    ['10.0.0.0/33', KINDS],
    ['010.0.0.1', KINDS],
    ['localhost', KINDS],
    ['10.0.0.0/8/8', KINDS],
    ['2001:db8::1', "IPv6 callers are distinguished by their /64: write '2001:db8::/64'"],
    ['2001:DB8:1:2::/64', "IPv6 callers are distinguished by their /64: write '2001:db8:1:2::/64'"],
    ['2001:db8:0:0:0:0:0:0/64', "IPv6 callers are distinguished by their /64: write '2001:db8::/64'"],
    ['::ffff:192.0.2.1', "write '192.0.2.1'"],
    ['2001:db8:1::/48', "of IPv6 only a /64 is read: write '2001:db8:1:*'"],
    ['2001:db8::/48', 'of IPv6 only a /64 is read, and no one pattern is this /48: write several'],
    ['2001:db8::/33', 'of IPv6 only a /64 is read, and no one pattern is this /33: write several'],
    ['2001:DB8:*', "a pattern of remote_address has digits, small a to f, '.', ':', '/' and '*'"],
    ['*.example.com', "a pattern of remote_address has digits, small a to f, '.', ':', '/' and '*'"],
  ])('%s', (value, fault) => expect(faultsOf('remote_address', value)).toEqual([`${fault}; got '${value}'`]));
});

describe('an endpoint that no request has is refused, and the spelling that is meant is named', () => {
  test.each([
    ['mutation.placeOrder', ENDPOINTS, ": write 'Mutation.placeOrder'"],
    ['MUTATION.placeOrder', ENDPOINTS, ": write 'Mutation.placeOrder'"],
    ['query.*', ENDPOINTS, ": write 'Query.*'"],
    ['get /api/orders', ENDPOINTS, ": write 'GET /api/orders'"],
    ['HEAD /api/orders', 'HEAD counts as GET', ": write 'GET /api/orders'"],
    ['placeOrder', ENDPOINTS, ''],
    ['Mutation.place-order', ENDPOINTS, ''],
    ['Mutation.2orders', ENDPOINTS, ''],
    ['Order.items', ENDPOINTS, ''],
    ['/api/orders', ENDPOINTS, ''],
    ['GET /api/search?q=1', ENDPOINTS, ''],
    ['GET /api/*?q=*', ENDPOINTS, ''],
    ['GET api/*', ENDPOINTS, ''],
  ])('%s', (value, fault, hint) => {
    const [message = ''] = faultsOf('endpoint', value);
    expect(message.startsWith(fault)).toBe(true);
    expect(message.endsWith(`${hint}; got '${value}'`)).toBe(true);
  });
});

describe('a name that no token or key may carry is refused', () => {
  test.each([
    ['user_id', 'a b', 'no user is called so: 1 to 64 visible characters, without spaces'],
    ['user_id', '* *', 'no user is called so: 1 to 64 visible characters, without spaces'],
    ['user_id', 'x'.repeat(65), 'no user is called so: 1 to 64 visible characters, without spaces'],
    ['plan', 'p'.repeat(65), 'no plan is called so: 1 to 64 printable characters'],
    ['plan', '\u200bpro', 'no plan is called so: 1 to 64 printable characters'],
    ['api_key', '0123456789ABCDEF', KEY_ID],
    ['api_key', '0123456789abcde', KEY_ID],
    ['api_key', 'reporting-*', KEY_ID],
  ])('%s %s', (key, value, fault) => {
    const [message = ''] = faultsOf(key, value);
    expect(message.startsWith(`${fault}; got '`)).toBe(true);
  });

  it('and a key itself is not repeated, for it is a secret', () => {
    const key = `tidings_${'0'.repeat(16)}_${'s'.repeat(43)}`;
    expect(faultsOf('api_key', key)).toEqual([KEY_ID]);
  });

  it('users and plans are exactly those that tokens may carry', () => {
    const texts = [
      'a',
      'a b',
      ' ',
      'é',
      '\u200b',
      '\u00a0',
      '😀',
      'a\u2028',
      'x'.repeat(64),
      '😀'.repeat(64),
      '😀'.repeat(65),
    ];
    for (const text of texts) {
      expect([text, faultsOf('user_id', text).length === 0]).toEqual([text, isUserId(text)]);
      expect([text, faultsOf('plan', text).length === 0]).toEqual([text, isPlan(text)]);
    }
  });
});
