import { z } from 'zod';

/**
 * What a variable that names a Redis holds: one address is a single Redis; several, separated by commas, are nodes of a
 * Cluster, which name the others.
 */
export const redisAddresses = z
  .string()
  .regex(
    /^rediss?:\/\/[^,]+(,rediss?:\/\/[^,]+)*$/,
    'must be redis:// or rediss:// addresses, separated by commas',
  )
  .transform((text): readonly string[] => text.split(','))
  .refine(
    (urls) => urls.length === 1 || urls.every((url) => databaseOf(url) === 0),
    'a Cluster has no database but 0',
  );

const databaseOf = (url: string): number => Number(/^\w+:\/\/[^/]*\/(\w+)/.exec(url)?.[1] ?? 0);

export function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) };
}

export function credentialsOf(url: string) {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

/** Whether two settings name the same Redis. */
export const isSameRedis = (some: readonly string[], others: readonly string[]): boolean =>
  some.join() === others.join();
