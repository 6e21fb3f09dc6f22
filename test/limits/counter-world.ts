import { createHash } from 'node:crypto';
import { Cluster, Redis as SingleRedis } from 'ioredis';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import type { CounterUse } from '../../src/domains/limits/counters/store.js';
import type { Tier } from '../../src/platform/gate.js';
import { isCluster, type Redis, type Script } from '../../src/platform/redis/redis.js';

/** A connection without a guard; several addresses, by comma, are nodes of a Cluster. */
export function plainRedis(url: string): GuardedRedis & { readonly client: Redis } {
  const urls = url.split(',');
  const client = urls.length > 1 ? new Cluster(urls) : new SingleRedis(url);
  return {
    client,
    cluster: isCluster(client),
    run: (script, keys, args) => runOn(client, script, keys, args),
    close: async () => client.disconnect(),
  };
}

async function runOn(
  client: Redis,
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

/**
 * A connection whose keys do not expire. Redis expires them by its own clock: at the end of a window that a test holds, that is
 * a second later, and a busy machine may take longer from one step to the next.
 */
export const keepingKeys = <Connection extends GuardedRedis>(redis: Connection): Connection => ({
  ...redis,
  run: (script, keys, args) => redis.run(withoutExpiry(script), keys, args),
});

function withoutExpiry({ source }: Script): Script {
  const keeping = `local function answer()
${source}
end
local answered = answer()
for _, key in ipairs(KEYS) do
  redis.call('PERSIST', key)
end
return answered
`;
  return { source: keeping, sha: createHash('sha1').update(keeping).digest('hex') };
}

/** A use of a counter in its owner's record, or of a log. */
export function aUse(owner: string, tier: Tier, charge = 1): CounterUse {
  const name = tier.algorithm === 'sliding_window_log' ? tier.counterId : 'tiers';
  return { tier, owner, key: `tidings:limit:{${owner}}:${name}`, charge };
}

/** Cannot be held against a real clock that may cross into the next window in the middle of a test. */
export const heldNoon = Date.UTC(2026, 5, 1, 12) * 1_000;
