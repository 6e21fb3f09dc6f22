import { type Cluster, isCluster, openRedis, type Redis, type SingleRedis } from '../redis/redis.js';
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
 * Makes sure that one address leads to a single Redis, and several to a Cluster that serves every slot, each of whose masters
 * answers this host, is Redis 7 or later, and waits long enough before a replica takes its place.
 *
 * @throws what its connection said last, since the command knows only that it was given up; or what cannot be used about it
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

/** A Cluster that is not what tidings needs, however long it is waited for. */
class Unfit extends Error {}

const SLOTS = 16_384;
/** With shard channels. */
const OLDEST_VERSION = 7;
/** A process may answer from its caches for about a second after a node was lost: see `CacheLease`. */
const SHORTEST_NODE_TIMEOUT_MS = 2_000;

async function askMasters(cluster: Cluster): Promise<void> {
  const state = await cluster.cluster('INFO');
  if (/^cluster_state:fail/m.test(state)) throw new NotServing('CLUSTERDOWN some slots have no master');
  const [, assigned] = /^cluster_slots_assigned:(\d+)/m.exec(state) ?? [];
  if (assigned !== undefined && Number(assigned) < SLOTS)
    throw new NotServing(`CLUSTERDOWN ${SLOTS - Number(assigned)} of ${SLOTS} slots are assigned to no node`);
  await Promise.all(
    [...mastersOf(cluster).keys()].map(async (address) => {
      try {
        const node = nodeAt(cluster, address);
        if (!node) throw new Error('Node is disconnected');
        await askNode(node, address);
      } catch (cause) {
        if (cause instanceof Unfit) throw cause;
        throw new NotServing(`its node ${address} does not answer: ${(cause as Error).message}`, { cause });
      }
    }),
  );
}

/** What a node hides, as hosted ones hide their settings, is not checked. */
async function askNode(node: SingleRedis, address: string): Promise<void> {
  await node.ping();
  const [server, timeout] = await Promise.all([
    node.info('server').catch(() => ''),
    node.config('GET', 'cluster-node-timeout').catch(() => []),
  ]);
  const [, version] = /^redis_version:(\d+\.\S+)/m.exec(server) ?? [];
  if (version !== undefined && Number.parseInt(version, 10) < OLDEST_VERSION)
    throw new Unfit(`its node ${address} is Redis ${version}: a Cluster needs ${OLDEST_VERSION} or later`);
  const [, milliseconds] = timeout as readonly string[];
  if (milliseconds !== undefined && Number(milliseconds) < SHORTEST_NODE_TIMEOUT_MS)
    throw new Unfit(
      `cluster-node-timeout of its node ${address} is ${milliseconds}: it must be ${SHORTEST_NODE_TIMEOUT_MS} or more`,
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
  error instanceof NotServing ||
  error instanceof Unfit ||
  (error instanceof Error && error.name === 'ReplyError');

function nameOf(url: string): string {
  const { host, port } = addressOf(url);
  return `${host}:${port}`;
}
