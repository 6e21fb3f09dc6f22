import { type Cluster, isCluster, isReady, KEY_PREFIX, type Redis, type SingleRedis } from './redis.js';
import { mastersOf, nodeAt, tagIn } from './redis-cluster.js';
import { lifeIn, runIdIn, type ServerLife, WrongServer } from './redis-epoch.js';

const KEY = `${KEY_PREFIX}:cache-lease`;
const KEY_LIFE_MS = 10_000;

/**
 * Writes to each server that takes writes: a single Redis, or every master of a Cluster that owns slots.
 *
 * @returns the life of each
 * @throws where one did not take it; `isWrongServer` where it never will
 */
export async function writeToAll(redises: readonly Redis[]): Promise<ServerLife[]> {
  const written = redises.map((redis) =>
    isCluster(redis) ? writeToMasters(redis) : writeTo(redis, KEY).then((life) => [life]),
  );
  return (await Promise.all(written)).flat();
}

async function writeToMasters(cluster: Cluster): Promise<ServerLife[]> {
  try {
    const masters = reachableMasters(cluster);
    return await Promise.all(masters.map(writeToMaster));
  } catch (error) {
    // Another may be the master of these slots by now.
    if (isReady(cluster)) cluster.refreshSlotsCache();
    throw error;
  }
}

/** A slot that is being moved takes no new key. Slots are moved from the first on, one by one: seldom both are. */
async function writeToMaster({ node, slots: [first, last] }: Master): Promise<ServerLife> {
  try {
    return await writeTo(node, keyIn(last));
  } catch (error) {
    if (!isElsewhere(error)) throw error;
    return await writeTo(node, keyIn(first));
  }
}

const keyIn = (slot: number): string => `${KEY}:{${tagIn(slot)}}`;

const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && /^(ASK|MOVED|TRYAGAIN) /.test(error.message);

async function writeTo(redis: SingleRedis, key: string): Promise<ServerLife> {
  if (!isReady(redis)) throw new Error('there is no connection to Redis');
  const [, server, replication] = await Promise.all([
    redis.set(key, String(Date.now()), 'PX', KEY_LIFE_MS),
    redis.info('server'),
    redis.info('replication'),
  ]);
  if (!/^role:master/m.test(replication)) throw new WrongServer('this Redis is a replica');
  return lifeIn(server, replication);
}

/** The run ids of the servers that a connection leads to. @throws where one does not answer */
export async function runIdsOf(redis: Redis): Promise<ReadonlySet<string>> {
  const servers = isCluster(redis) ? reachableMasters(redis).map(({ node }) => node) : [redis];
  const answers = await Promise.all(servers.map((server) => server.info('server')));
  return new Set(answers.map(runIdIn));
}

interface Master {
  readonly node: SingleRedis;
  /** The first and the last that it has. */
  readonly slots: readonly [number, number];
}

/** @throws where there is no connection to one of them, or none is known */
function reachableMasters(cluster: Cluster): readonly Master[] {
  const masters = [...mastersOf(cluster)].map(([address, slots]) => {
    const node = nodeAt(cluster, address);
    if (!node || !isReady(node)) throw new Error(`there is no connection to the Redis node ${address}`);
    return { node, slots };
  });
  if (masters.length === 0) throw new Error('there is no connection to the Redis Cluster');
  return masters;
}
