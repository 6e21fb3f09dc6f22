import { type Cluster, type Command, Redis, type RedisOptions } from 'ioredis';
import { LEAVES_REPLICAS } from '../../../platform/redis/redis.js';
import { FAILS_AT_ONCE, openCluster, pauseBefore } from '../../../platform/redis/redis-cluster.js';
import { followServer, type ServerWatch } from '../../../platform/redis/server-watch.js';

/**
 * The connection to the counters' Redis, without an offline queue: a command is sent now, once, or rejected. It rejects at
 * once while there is no connection, and as soon as that breaks; it has no timeout.
 */
export interface CounterConnection {
  readonly client: Redis | Cluster;
  readonly cluster: boolean;
  /** The node that answers this command: the address of its slot's master on a Cluster, '' on a single Redis. */
  nodeOf(command: Command): string;
  /** On a Cluster: asks who owns which slots, and connects to those that it lost. */
  refresh(): void;
  disconnect(): void;
}

const options = {
  connectTimeout: 2_000,
  keepAlive: 10_000,
  // A peer that has gone silent is given up for a new connection.
  socketTimeout: 2_000,
  disconnectTimeout: 100,
  autoResendUnfulfilledCommands: false,
  // 0: what is unanswered when the connection breaks is rejected then.
  maxRetriesPerRequest: 0,
  // The breaker's probe finds out more.
  enableReadyCheck: false,
} satisfies RedisOptions;

/**
 * Connects in the background.
 *
 * @param urls one: a single Redis; several: seeds of a Cluster, with the credentials of the first for all nodes
 * @param server watches a single Redis that is also the processes' own
 */
export function openCounterConnection(
  urls: readonly string[],
  onError: (error: Error) => void,
  server?: ServerWatch,
): CounterConnection {
  const [url] = urls;
  if (url === undefined) throw new Error('the counters need an address');
  return urls.length === 1 ? single(url, onError, server) : cluster(urls, onError);
}

function single(url: string, onError: (error: Error) => void, server?: ServerWatch): CounterConnection {
  const redis = new Redis(url, {
    ...options,
    ...LEAVES_REPLICAS,
    enableOfflineQueue: false,
    retryStrategy: pauseBefore,
  }).on('error', onError);
  const following = server && followServer(redis, server);
  return {
    client: redis,
    cluster: false,
    nodeOf: () => '',
    refresh: () => undefined,
    disconnect() {
      following?.stop();
      redis.disconnect();
    },
  };
}

function cluster(urls: readonly string[], onError: (error: Error) => void): CounterConnection {
  const nodes: Cluster = openCluster(urls, { node: options, cluster: FAILS_AT_ONCE }, onError);
  return {
    client: nodes,
    cluster: true,
    nodeOf: (command) => nodes.slots[command.getSlot()]?.[0] ?? '',
    refresh() {
      if (nodes.status === 'ready') nodes.refreshSlotsCache();
    },
    disconnect: () => nodes.disconnect(),
  };
}
