import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { upTo } from '../../platform/cache/loading-cache.js';
import type { ProxyTrust } from '../options.js';
import { addressesNearestFirst } from './forwarding-headers.js';

/** Where a request comes from. */
export interface ClientAddress {
  /** Canonical; empty where the connection has none any more. */
  readonly ip: string;
  /** What limits are kept by: an IPv4 address, or an IPv6 /64 as text like `2001:db8:1:2::/64`. */
  readonly network: string;
}

export type AddressOf = (peer: string | undefined, headers: IncomingHttpHeaders) => ClientAddress;

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
interface Reached {
  readonly address: ClientAddress;
  /** Whether its forwarding headers are trusted. */
  readonly isTrusted: boolean;
}

/** A longer chain of trusted proxies is a mistake, or an attack. */
const MOST_HOPS = 20;
const KEPT_ADDRESSES = 4_096;
/** Enough for an address with a zone. */
const LONGEST_ADDRESS = 64;
/** All clients without a known address share their limits. */
const UNKNOWN: Reached = { address: { ip: '', network: 'unknown' }, isTrusted: false };

/**
 * Makes a function that finds the client of a request by its connection's peer and its headers: only known proxies are
 * trusted, and the first untrusted address counts.
 *
 * Headers count only where the peer is a trusted proxy. Then the header is walked from right to left, 20 entries at most,
 * past trusted proxies to the first address that is none. Where an entry cannot be read, the last address that was
 * reached counts; where all are trusted, the leftmost that was looked at.
 *
 * IPv4 written as IPv6 (`::ffff:192.0.2.1`, and public addresses behind a translator at `64:ff9b::/96`) is IPv4: else
 * all of it would be one /64. Zones are dropped.
 *
 * @param options.trustedProxies networks as CIDRs
 * @param options.forwardedHeader the only header that the proxies write; by default X-Forwarded-For where it is present,
 *   else Forwarded, which is safe only where the proxies drop the one that they do not write
 * @throws Error where a network is no CIDR
 */
export function createClientAddress(options: ProxyTrust): AddressOf {
  const trusted = options.trustedProxies.map(readNetwork);
  const kept = new LRUCache<string, Reached>(upTo(KEPT_ADDRESSES));
  return (peer, headers) => {
    const reached = (peer === undefined ? undefined : reach(peer)) ?? UNKNOWN;
    return reached.isTrusted ? furthest(reached, headers) : reached.address;
  };

  function reach(text: string): Reached | undefined {
    const known = kept.get(text);
    if (known) return known;
    const ip = text.length > LONGEST_ADDRESS ? undefined : readIp(text);
    if (!ip) return undefined;
    const reached = { address: addressOf(ip), isTrusted: trusted.some((network) => holds(network, ip)) };
    // A copy: a slice of a header would keep all of the header alive.
    kept.set(Buffer.from(text).toString(), reached);
    return reached;
  }

  function furthest(peer: Reached, headers: IncomingHttpHeaders): ClientAddress {
    const header =
      options.forwardedHeader ?? (headers['x-forwarded-for'] === undefined ? 'forwarded' : 'x-forwarded-for');
    const value: string | string[] | undefined = headers[header];
    if (value === undefined) return peer.address;
    const list = Array.isArray(value) ? value.join(',') : value;
    let { address } = peer;
    for (const text of addressesNearestFirst(header, list, MOST_HOPS)) {
      const reached = text === undefined ? undefined : reach(text);
      if (!reached) break;
      address = reached.address;
      if (!reached.isTrusted) break;
    }
    return address;
  }
}

function addressOf(ip: Ip): ClientAddress {
  const text = ip.toString();
  if (!('parts' in ip)) return { ip: text, network: text };
  const network = new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0]);
  return { ip: text, network: `${network.toString()}/64` };
}

/** Strict, which ipaddr.js alone is not: `0x7f.1` and `010.0.0.1` are no addresses here. */
function readIp(text: string): Ip | undefined {
  const zone = text.indexOf('%');
  const bare = zone === -1 ? text : text.slice(0, zone);
  return isIP(bare) === 0 ? undefined : asIPv4(ipaddr.parse(bare));
}

/** How translators write IPv4 addresses for IPv6 (RFC 6052, section 2.1). */
const TRANSLATED: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

function asIPv4(ip: Ip): Ip {
  if (!('parts' in ip)) return ip;
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address();
  if (!ip.match(TRANSLATED)) return ip;
  const embedded = new ipaddr.IPv4(ip.toByteArray().slice(12));
  // Nothing may translate a private address there: it is forged, and could pass for a proxy.
  return embedded.range() === 'unicast' ? embedded : ip;
}

type Network = readonly [Ip, number];

function readNetwork(cidr: string): Network {
  const [ip, bits] = ipaddr.parseCIDR(cidr);
  return 'parts' in ip && ip.isIPv4MappedAddress() && bits >= 96
    ? [ip.toIPv4Address(), bits - 96]
    : [ip, bits];
}

const holds = ([network, bits]: Network, ip: Ip): boolean =>
  network.kind() === ip.kind() && ip.match(network, bits);
