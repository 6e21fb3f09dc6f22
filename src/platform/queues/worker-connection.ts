import type { ConnectionOptions } from 'bullmq';
import { OF_WORKERS } from '../redis/redis.js';
import { openCluster, WAITS_FOR_FAILOVER } from '../redis/redis-cluster.js';
import { followServer, type RedisAddress } from '../redis/server-watch.js';
import { shareByAddress } from './shared-by-address.js';

/**
 * A command waits as long as it takes: for a failover, and for a slot that is being moved, whose queue takes no script meanwhile.
 */
const WAITS = {
  ...WAITS_FOR_FAILOVER,
  maxRedirections: Number.POSITIVE_INFINITY,
  // Two nodes that disagree for a moment about who has a slot are not asked in turn without a pause.
  retryDelayOnMoved: 10,
};

const shareCluster = shareByAddress(
  ({ urls, server }: RedisAddress) => {
    // Each worker reports errors of connections that are its own, or that it shares.
    const cluster = openCluster(
      urls,
      { node: { ...OF_WORKERS, maxRetriesPerRequest: null }, cluster: WAITS },
      () => undefined,
    );
    return { cluster, following: server && followServer(cluster, server) };
  },
  ({ cluster, following }) => {
    following?.stop();
    cluster.disconnect();
  },
);

/**
 * What BullMQ connects a worker by. To a single Redis it opens two connections for each worker. On a Cluster all workers of the
 * process share a client, which BullMQ copies for each one's blocking reads.
 */
export function connectWorker(address: RedisAddress): {
  readonly connection: ConnectionOptions;
  /** Once the worker is closed. */
  release(): void;
} {
  const { urls } = address;
  if (urls.length === 1) return { connection: { url: urls[0]!, ...OF_WORKERS }, release: () => undefined };
  const { one, release } = shareCluster(address);
  return { connection: one.cluster, release };
}
