import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../../src/edge/gate/client-address.js';

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'];
const clientOf = createClientAddress({ trustedProxies: PROXIES });
const ipBehind = (forwardedFor: string | string[]) =>
  clientOf('10.0.0.1', { 'x-forwarded-for': forwardedFor as string }).ip;
const ipByForwarded = (forwarded: string) => clientOf('10.0.0.1', { forwarded }).ip;

describe('without proxies in front', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::1', '2001:db8::/64'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::/64'],
    ['::1', '::1', '::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['64:ff9b::8.8.8.8', '8.8.8.8', '8.8.8.8'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1', '64:ff9b::/64'],
  ])('the peer %s is the client %s, limited as %s', (peer, ip, network) => {
    expect(clientOf(peer, {})).toEqual({ ip, network });
    expect(clientOf(peer, {})).toEqual({ ip, network });
  });

  it('a connection that has lost its address is limited with all its like', () => {
    expect(clientOf(undefined, { 'x-forwarded-for': '1.1.1.1' })).toEqual({ ip: '', network: 'unknown' });
  });

  it('all addresses of an IPv6 network are limited as one', () => {
    expect(clientOf('2001:db8:1:2::1', {}).network).toBe(clientOf('2001:db8:1:2:ffff::9', {}).network);
  });

  it('no header changes who is limited', () => {
    fc.assert(
      fc.property(address, fc.string(), fc.array(address), (peer, text, list) => {
        fc.pre(!isTrusted(peer));
        const headers = { 'x-forwarded-for': list.join(', '), forwarded: `for=${text}` };
        expect(clientOf(peer, headers)).toEqual(clientOf(peer, {}));
      }),
    );
  });
});

describe('behind trusted proxies, by X-Forwarded-For', () => {
  it.each([
    ['1.1.1.1', '1.1.1.1'],
    ['9.9.9.9, 1.1.1.1', '1.1.1.1'],
    ['9.9.9.9, 1.1.1.1, 10.1.1.1,10.2.2.2', '1.1.1.1'],
    ['1.1.1.1, 2001:db8:ffff::7', '1.1.1.1'],
    ['1.1.1.1, ::ffff:10.0.0.7', '1.1.1.1'],
    ['1.1.1.1:5678', '1.1.1.1'],
    ['[2001:db8::1]:80', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['1.1.1.1, , 10.0.0.2,', '1.1.1.1'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['1.1.1.1, unknown', '10.0.0.1'],
    ['1.1.1.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['1.1.1.1, 0x0a.1.1.1', '10.0.0.1'],
    ['1.1.1.1, 012.0.0.1', '10.0.0.1'],
    ['1.1.1.1, 1.2.3', '10.0.0.1'],
    ['', '10.0.0.1'],
    [', ,', '10.0.0.1'],
  ])('of the list “%s” the client is %s', (list, ip) => {
    expect(ipBehind(list)).toBe(ip);
  });

  it('several header lines are one list', () => {
    expect(ipBehind(['9.9.9.9', '1.1.1.1, 10.0.0.2', '10.0.0.3'])).toBe('1.1.1.1');
  });

  it('looks at the last 20 proxies and no further', () => {
    const proxies = (count: number) => Array.from({ length: count }, (_, i) => `10.0.1.${i % 250}`);
    expect(ipBehind(['1.1.1.1', ...proxies(19)].join())).toBe('1.1.1.1');
    expect(ipBehind(['1.1.1.1', ...proxies(20)].join())).toBe('10.0.1.0');
    expect(ipBehind(proxies(1_000).join())).toBe('10.0.1.230');
  });

  it('trusts no header where no proxy is configured', () => {
    const alone = createClientAddress({ trustedProxies: [] });
    expect(alone('10.0.0.1', { 'x-forwarded-for': '1.1.1.1' }).ip).toBe('10.0.0.1');
  });

  it('knows proxies by networks written as mapped IPv4 too', () => {
    const mapped = createClientAddress({ trustedProxies: ['::ffff:10.0.0.0/104'] });
    expect(mapped('::ffff:10.9.9.9', { 'x-forwarded-for': '1.1.1.1' }).ip).toBe('1.1.1.1');
  });

  it('whatever a client writes on the left changes nothing', () => {
    fc.assert(
      fc.property(garbage, address, fc.array(proxy, { maxLength: 5 }), (left, client, proxies) => {
        fc.pre(!isTrusted(client));
        const own = [client, ...proxies].join(', ');
        expect(ipBehind(`${left}, ${own}`)).toBe(ipBehind(own));
        expect(ipBehind(own)).toBe(clientOf(client, {}).ip);
      }),
    );
  });
});

describe('behind trusted proxies, by Forwarded', () => {
  it.each([
    ['for=1.1.1.1', '1.1.1.1'],
    ['FOR="1.1.1.1:80";Proto=https;by=10.0.0.1', '1.1.1.1'],
    ['proto=https; for=1.1.1.1', '1.1.1.1'],
    ['for="[2001:db8::1]:4711"', '2001:db8::1'],
    ['for=[2001:db8::1]', '2001:db8::1'],
    ['for="[2001:db8:\\:1]:_port"', '2001:db8::1'],
    ['for=9.9.9.9, for=1.1.1.1;host="a,b;for=2.2.2.2", for=10.0.0.2', '1.1.1.1'],
    ['for=1.1.1.1, for=_hidden', '10.0.0.1'],
    ['for=1.1.1.1, for=unknown, for=10.0.0.2', '10.0.0.2'],
    ['for=1.1.1.1, proto=https', '10.0.0.1'],
    ['for=1.1.1.1, for=2.2.2.2;for=3.3.3.3', '10.0.0.1'],
    ['for=1.1.1.1, by="x for=2.2.2.2', '10.0.0.1'],
    ['for="1.1.1.1', '10.0.0.1'],
    ['host="quoted \\" and \\\\", for=1.1.1.1;host="\\\\\\"", for=10.0.0.2', '1.1.1.1'],
    ['for="9.9.9.9, for=1.1.1.1', '1.1.1.1'],
    ['for="9.9.9.9\\, for=1.1.1.1;host="x", for=10.0.0.2', '1.1.1.1'],
  ])('of “%s” the client is %s', (forwarded, ip) => {
    expect(ipByForwarded(forwarded)).toBe(ip);
  });

  it('whatever a client writes on the left changes nothing', () => {
    const element = (ip: string, host: string) =>
      `for="${ip.includes(':') ? `[${ip}]` : ip}";host=${JSON.stringify(host)}`;
    const hosts = fc.constantFrom('a', 'a,b', 'a"b', '\\', '\\"', ';for=6.6.6.6', '');
    fc.assert(
      fc.property(
        garbage,
        address,
        fc.array(proxy, { maxLength: 5 }),
        hosts,
        (left, client, proxies, host) => {
          fc.pre(!isTrusted(client));
          const own = [client, ...proxies].map((ip) => element(ip, host)).join(', ');
          expect(ipByForwarded(`${left}, ${own}`)).toBe(ipByForwarded(own));
          expect(ipByForwarded(own)).toBe(clientOf(client, {}).ip);
        },
      ),
    );
  });

  it('is asked only where X-Forwarded-For is missing, or where it is the only one trusted', () => {
    const headers = { 'x-forwarded-for': '1.1.1.1', forwarded: 'for=2.2.2.2' };
    const by = (forwardedHeader?: 'x-forwarded-for' | 'forwarded') =>
      createClientAddress({ trustedProxies: PROXIES, forwardedHeader })('10.0.0.1', headers).ip;
    expect(by()).toBe('1.1.1.1');
    expect(by('x-forwarded-for')).toBe('1.1.1.1');
    expect(by('forwarded')).toBe('2.2.2.2');
  });
});

const isTrusted = (ip: string): boolean => {
  const trusting = createClientAddress({ trustedProxies: PROXIES });
  return trusting(ip, { 'x-forwarded-for': '203.0.113.77' }).ip === '203.0.113.77';
};
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const proxy = fc.constantFrom('10.0.0.2', '10.255.1.1', '2001:db8:ffff::1');
/** What clients might try: addresses, quotation marks, separators, and anything at all. */
const garbage = fc.oneof(
  fc.string({ maxLength: 50 }),
  fc.array(address, { maxLength: 30 }).map((list) => list.join(', ')),
  fc
    .array(fc.constantFrom('for=', '"', '\\', ',', ';', '10.0.0.9', '6.6.6.6', '[', ']', ' ', '='), {
      maxLength: 40,
    })
    .map((parts) => parts.join('')),
);
