import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRedis } from '../../src/local/redis.js';
import { isCluster, type Redis, type SingleRedis } from '../../src/platform/redis/redis.js';
import { startTestCluster } from './redis-cluster.js';

/** A Redis server that nobody else uses; a Cluster of three masters where `TEST_REDIS` is `cluster`. */
export interface TestRedis {
  /** As `REDIS_URL` has it: those of a Cluster are separated by commas. */
  readonly url: string;
  stop(): Promise<void>;
}

/** An empty server on a free port, without persistence. Stop it in `afterAll`. */
export async function startTestRedis(): Promise<TestRedis> {
  if (process.env.TEST_REDIS === 'cluster') {
    const { urls, stop } = await startTestCluster();
    return { url: urls.join(), stop };
  }
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

const mastersOf = (redis: Redis): readonly SingleRedis[] =>
  isCluster(redis) ? redis.nodes('master') : [redis];

/** Everything that it holds is gone, on whichever nodes. */
export const forgetAll = (redis: Redis): Promise<unknown> =>
  Promise.all(mastersOf(redis).map((master) => master.flushall()));

/** All keys of the pattern, on whichever nodes. */
export const keysLike = async (redis: Redis, pattern: string): Promise<string[]> =>
  (await Promise.all(mastersOf(redis).map((master) => master.keys(pattern)))).flat();
