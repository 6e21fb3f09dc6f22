import type { ConnectionOptions, Worker } from 'bullmq';
import { OF_WORKERS } from '../redis/redis.js';
import { openCluster, WAITS_WITHOUT_END } from '../redis/redis-cluster.js';
import { followServer, type RedisAddress } from '../redis/server-watch.js';
import { shareByAddress } from './shared-by-address.js';

const shareCluster = shareByAddress(
  ({ urls, server }: RedisAddress) => {
    // Each worker reports errors of connections that are its own, or that it shares.
    const node = { ...OF_WORKERS, maxRetriesPerRequest: null };
    const cluster = openCluster(urls, { node, cluster: WAITS_WITHOUT_END }, () => undefined);
    return { cluster, following: server && followServer(cluster, server) };
  },
  ({ cluster, following }) => {
    following?.stop();
    cluster.disconnect();
  },
);

/** How a worker is connected. */
export interface WorkerConnection {
  readonly options: ConnectionOptions;
  /** Breaks what the worker has to itself: it did not close in time. */
  cut(worker: Worker): void;
  /** Once the worker is closed. */
  release(): void;
}

/**
 * What BullMQ connects a worker by. To a single Redis it opens two connections for each worker. On a Cluster all workers of the
 * process share a client, which BullMQ copies for each one's blocking reads.
 */
export function connectWorker(address: RedisAddress): WorkerConnection {
  const { urls } = address;
  if (urls.length === 1)
    return {
      options: { url: urls[0]!, ...OF_WORKERS },
      cut: (worker) => void worker.disconnect().catch(() => undefined),
      release: () => undefined,
    };
  const { one, release } = shareCluster(address);
  return {
    options: one.cluster,
    cut: (worker) =>
      void worker
        .getBackend()
        .disconnectBlocking(false)
        .catch(() => undefined),
    release,
  };
}
