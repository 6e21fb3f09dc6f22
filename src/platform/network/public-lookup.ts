import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

const TIMEOUT_MS = 2_000;

/** A name has an address that is not public: no connection is made. */
export class NotPublic extends Error {
  constructor(hostname: string) {
    super(`${hostname} has an address that is not public`);
    this.name = 'NotPublic';
  }
}

/**
 * Resolves names for connections that are being made: each goes to one of the addresses that were checked here. DNS is
 * queried without a thread of libuv's pool, which getaddrinfo would block for as long as a name server is silent; so hosts
 * files are not used.
 *
 * @param signal ends a running query
 * @param servers name servers; the machine's own where there are none
 * @returns a lookup that fails with NotPublic where one of the addresses is not public, and with DNS's error where it has none
 */
export function publicLookup(signal: AbortSignal, servers: readonly string[] = []): LookupFunction {
  return (hostname, options, callback) => {
    const refuse = (error: Error): void => callback(error, []);
    addressesOf(hostname, signal, servers).then((addresses) => {
      if (!addresses.every(({ address }) => isPublicAddress(address))) return refuse(new NotPublic(hostname));
      const [first] = addresses;
      return options.all ? callback(null, addresses) : callback(null, first!.address, first!.family);
    }, refuse);
  };
}

/** Whether a name has addresses, and all of them are public. One that cannot be resolved is not. */
export async function isPublicName(
  hostname: string,
  signal: AbortSignal,
  servers: readonly string[] = [],
): Promise<boolean> {
  const addresses = await addressesOf(hostname, signal, servers).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));
}

async function addressesOf(hostname: string, signal: AbortSignal, servers: readonly string[]) {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0)
      throw v4.status === 'rejected' ? v4.reason : new Error(`${hostname} has no address`);
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
