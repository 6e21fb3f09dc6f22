import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { startRedis } from '../../src/local/redis.js';
import { isCluster, openRedis, type Redis, type SingleRedis } from '../../src/platform/redis/redis.js';
import { startTestCluster } from './redis-cluster.js';

/** Whether this run's tests are about a Cluster. */
export const isOnCluster = process.env.TEST_REDIS === 'cluster';

/** A Redis that nobody else uses: a server, or a Cluster of six nodes where `TEST_REDIS` is `cluster`. */
export interface TestRedis {
  /** As `REDIS_URL` has it: those of a Cluster are separated by commas. */
  readonly url: string;
  stop(): Promise<void>;
}

/** An empty one, without persistence. Stop it in `afterAll`. */
export const startTestRedis = (): Promise<TestRedis> => (isOnCluster ? takeCluster() : startSingleRedis());

/** Files run one after the other in each of the run's places, and each place has a Cluster. */
let isTaken = false;

/** The Cluster of this file's place, or another where the file has that one already. */
async function takeCluster(): Promise<TestRedis> {
  // Set-ups of a whole run have no place.
  const place = process.env.VITEST_POOL_ID;
  const url = place && inject('redisClusters')?.[Number(place) - 1];
  if (!url || isTaken) return startAnotherCluster();
  isTaken = true;
  await makeAsNew(url);
  return {
    url,
    async stop() {
      isTaken = false;
    },
  };
}

async function startAnotherCluster(): Promise<TestRedis> {
  const { urls, stop } = await startTestCluster({ replicas: 3 });
  return { url: urls.join(), stop };
}

/** Whatever the file before it has left: settings, scripts and keys. */
async function makeAsNew(url: string): Promise<void> {
  const redis = await connectTo({ url });
  await configure(redis, 'maxmemory', '0');
  await configure(redis, 'min-replicas-to-write', '0');
  await forgetAll(redis);
  await forgetScripts(redis);
  redis.disconnect();
}

/** One server whatever the run is about: for tests of what only one can have, such as a proxy before it. */
export async function startSingleRedis(): Promise<TestRedis> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidings-redis-'));
  const server = await startRedis({ dataDir, persistent: false, say: () => undefined });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A connection to it, which knows all its nodes. */
export async function connectTo({ url }: Pick<TestRedis, 'url'>): Promise<Redis> {
  const redis = openRedis(url.split(','), () => undefined);
  await redis.ping();
  return redis;
}

/** On each server of it. */
export const configure = (redis: Redis, name: string, value: string): Promise<unknown> =>
  Promise.all(serversOf(redis).map((server) => server.config('SET', name, value)));

/** Whichever servers take its writes. */
export const serversOf = (redis: Redis): readonly SingleRedis[] =>
  isCluster(redis) ? redis.nodes('master') : [redis];

/** Everything that it holds is gone, on whichever nodes. */
export const forgetAll = (redis: Redis): Promise<unknown> =>
  Promise.all(serversOf(redis).map((master) => master.flushall()));

/** It knows no script any more. */
export const forgetScripts = (redis: Redis): Promise<unknown> =>
  Promise.all(serversOf(redis).map((server) => server.script('FLUSH')));

/** All keys of the pattern, on whichever nodes. */
export const keysLike = async (redis: Redis, pattern: string): Promise<string[]> =>
  (await Promise.all(serversOf(redis).map((master) => master.keys(pattern)))).flat();

/** How often each of these commands was called while the work was done, on all its servers; those never called are left out. */
export async function callsDuring(
  redis: Redis,
  commands: readonly string[],
  work: () => Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  const servers = serversOf(redis);
  await Promise.all(servers.map((server) => server.config('RESETSTAT')));
  await work();
  const calls: Record<string, number> = {};
  for (const stats of await Promise.all(servers.map((server) => server.info('commandstats'))))
    for (const [, name = '', count] of stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g))
      if (commands.includes(name)) calls[name] = (calls[name] ?? 0) + Number(count);
  return calls;
}

/** What a key of the pattern has, on whichever node; null where there is none. */
export async function valueLike(redis: Redis, pattern: string): Promise<string | null> {
  const [key] = await keysLike(redis, pattern);
  return key === undefined ? null : redis.get(key);
}
