import { Cluster, Redis } from 'ioredis';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import type { CounterUse } from '../../src/domains/limits/counters/store.js';
import type { Tier } from '../../src/platform/gate.js';
import type { Script } from '../../src/platform/redis/redis.js';

/** A connection without a guard. */
export function plainRedis(url: string): GuardedRedis & { readonly client: Redis } {
  const client = new Redis(url);
  return {
    client,
    cluster: false,
    run: (script, keys, args) => runOn(client, script, keys, args),
    close: async () => client.disconnect(),
  };
}

/** A connection to a Cluster without a guard. */
export function plainCluster(urls: readonly string[]): GuardedRedis & { readonly client: Cluster } {
  const client = new Cluster([...urls]);
  return {
    client,
    cluster: true,
    run: (script, keys, args) => runOn(client, script, keys, args),
    close: async () => client.disconnect(),
  };
}

async function runOn(
  client: Redis | Cluster,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.callBuffer('evalsha', script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.callBuffer('eval', script.source, keys.length, ...keys, ...args);
  }
}

export function aUse(owner: string, tier: Tier, charge = 1): CounterUse {
  return { tier, owner, key: `tidings:limit:{${owner}}:${tier.counterId}`, charge };
}

/** Cannot be held against a real clock that may cross into the next window in the middle of a test. */
export const heldNoon = Date.UTC(2026, 5, 1, 12) * 1_000;
