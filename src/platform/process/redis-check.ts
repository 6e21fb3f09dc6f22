import { type Cluster, isCluster, openRedis, type Redis } from '../redis/redis.js';
import { addressOf, isSameRedis } from '../redis/redis-address.js';
import { mastersOf, nodeAt } from '../redis/redis-cluster.js';

/** Which Redis does what. */
export interface RedisSettings {
  readonly redisUrls: readonly string[];
  readonly feedRedisUrls: readonly string[];
  readonly queueRedisUrls: readonly string[];
  readonly limits: { readonly redisUrls: readonly string[] };
}

interface NamedRedis {
  /** Of the environment. */
  readonly variable: string;
  readonly urls: readonly string[];
}

/** Each Redis that a process waits for when it starts, by the variable that names it; once where several name the same. */
export function redisesOf({ redisUrls, feedRedisUrls, queueRedisUrls }: RedisSettings): NamedRedis[] {
  const all = [
    { variable: 'REDIS_URL', urls: redisUrls },
    { variable: 'REDIS_FEED_URL', urls: feedRedisUrls },
    { variable: 'REDIS_QUEUE_URL', urls: queueRedisUrls },
  ];
  return all.filter(({ urls }, index) => !all.slice(0, index).some((one) => isSameRedis(one.urls, urls)));
}

/**
 * Makes sure that one address leads to a single Redis, and several to a Cluster, each of whose masters answers this host.
 *
 * @throws what its connection said last, since the command knows only that it was given up; or that it is of the other kind
 */
export async function askRedis(urls: readonly string[]): Promise<void> {
  const [url] = urls;
  if (urls.length === 1) {
    if ((await askMode(url!)) === 'cluster')
      throw new Error(
        `${nameOf(url!)} is a node of a Cluster: give two of its nodes or more, separated by commas`,
      );
    return;
  }
  const modes = await Promise.allSettled(urls.map(askMode));
  const single = modes.findIndex((mode) => mode.status === 'fulfilled' && mode.value === 'single');
  if (single >= 0)
    throw new Error(`several addresses mean a Cluster, and ${nameOf(urls[single]!)} is a single Redis`);
  if (modes.every((mode) => mode.status === 'rejected')) throw (modes[0] as PromiseRejectedResult).reason;
  await asking(urls, (redis) => (isCluster(redis) ? askMasters(redis) : undefined));
}

/** Undefined where the server does not say. */
const askMode = (url: string): Promise<'single' | 'cluster' | undefined> =>
  asking([url], async (redis) => {
    await redis.ping();
    const info = await redis.info('server').catch(() => '');
    // Valkey calls it `server_mode`.
    const [, mode] = /^(?:redis|server)_mode:(\w+)/m.exec(info) ?? [];
    if (mode === undefined) return undefined;
    return mode === 'cluster' ? 'cluster' : 'single';
  });

/** A Cluster that answers, and does not serve. */
class NotServing extends Error {}

async function askMasters(cluster: Cluster): Promise<void> {
  const state = await cluster.cluster('INFO');
  if (/^cluster_state:fail/m.test(state)) throw new NotServing('CLUSTERDOWN some slots have no master');
  await Promise.all(
    [...mastersOf(cluster).keys()].map(async (address) => {
      try {
        const node = nodeAt(cluster, address);
        if (!node) throw new Error('Node is disconnected');
        await node.ping();
      } catch (cause) {
        throw new NotServing(`its node ${address} does not answer: ${(cause as Error).message}`, { cause });
      }
    }),
  );
}

async function asking<T>(urls: readonly string[], ask: (redis: Redis) => Promise<T> | T): Promise<T> {
  let reason: Error | undefined;
  const redis = openRedis(urls, (error) => {
    reason = error;
  });
  try {
    return await ask(redis);
  } catch (error) {
    throw isRefusal(error) ? error : (reason ?? error);
  } finally {
    redis.disconnect();
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof NotServing || (error instanceof Error && error.name === 'ReplyError');

function nameOf(url: string): string {
  const { host, port } = addressOf(url);
  return `${host}:${port}`;
}
