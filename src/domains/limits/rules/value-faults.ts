import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { endpointFault, type ValueMatch } from './endpoint-match.js';
import type { Key } from './plain-rules.js';

// The same as of platform/auth/auth.ts, which the thread that reads documents cannot load: a test holds them equal.
const USER_ID = /^[^\p{C}\s]{1,64}$/u;
const PLAN = /^[^\p{C}]{1,64}$/u;

/** Why no request ever has a value that matches, or null. */
export function valueFault(key: Key, match: ValueMatch): string | null {
  if (match.kind === 'any') return null;
  // What a pattern says in so many characters, a value has to have too.
  const literals = match.text.replaceAll('*', '');
  switch (key) {
    case 'remote_address':
      return addressFault(match.text);
    case 'endpoint':
      return endpointFault(match);
    case 'user_id':
      return USER_ID.test(literals)
        ? null
        : 'no user is called so: 1 to 64 visible characters, without spaces';
    case 'plan':
      return PLAN.test(literals) ? null : 'no plan is called so: 1 to 64 printable characters';
    case 'api_key':
      return (match.kind === 'exact' ? /^[\da-f]{16}$/ : /^[\da-f]{1,16}$/).test(literals)
        ? null
        : 'api_key is the id of a key, 16 of 0 to 9 and small a to f, and not the key itself';
    default:
      return null;
  }
}

const KINDS = 'remote_address is an IPv4 address, an IPv6 /64, or a pattern with *';

/**
 * Why no caller's network is ever called so, or null. Networks are written as IPv4 addresses and as IPv6 /64s, each in
 * one spelling; where another is meant, the answer names that one.
 */
function addressFault(value: string): string | null {
  if (value.includes('*')) {
    return /^[\da-f.:/*]+$/.test(value)
      ? null
      : "a pattern of remote_address has digits, small a to f, '.', ':', '/' and '*'";
  }
  const [address = '', bits, more] = value.split('/');
  if (isIP(address) === 0 || more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    return KINDS;
  const ip = ipaddr.parse(address);
  if (!('parts' in ip)) return bits === undefined ? null : ofIPv4(ip, Number(bits));
  if (ip.isIPv4MappedAddress()) return bits === undefined ? write(ip.toIPv4Address().toString()) : KINDS;
  return ofIPv6(ip, bits === undefined ? 128 : Number(bits), value);
}

function ofIPv4(ip: ipaddr.IPv4, bits: number): string {
  if (bits > 32) return KINDS;
  if (bits === 32) return write(ip.toString());
  if (bits > 24) return `CIDRs are not read, and no pattern is a /${bits}: write each address`;
  const whole = Math.ceil(bits / 8);
  const pattern = whole === 0 ? '*' : [...ip.octets.slice(0, whole), '*'].join('.');
  if (bits % 8 === 0) return `CIDRs are not read: ${write(pattern)}`;
  return `CIDRs are not read, and no one pattern is a /${bits}: write several, like '${pattern}'`;
}

function ofIPv6(ip: ipaddr.IPv6, bits: number, value: string): string | null {
  if (bits > 128) return KINDS;
  if (bits >= 64) {
    const network = `${new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
    return network === value ? null : `IPv6 callers are distinguished by their /64: ${write(network)}`;
  }
  const groups = ip.parts.slice(0, bits / 16);
  // Behind a group of zeros the shortened spelling differs from network to network.
  if (bits % 16 === 0 && groups.at(-1)) {
    return `of IPv6 only a /64 is read: ${write(`${groups.map((group) => group.toString(16)).join(':')}:*`)}`;
  }
  return `of IPv6 only a /64 is read, and no one pattern is this /${bits}: write several`;
}

const write = (text: string): string => `write '${text}'`;
