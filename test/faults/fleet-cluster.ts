import { startTestRedis } from '../support/redis.js';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import type { FleetServer } from './fleet.js';

/** A Redis Cluster of three masters, each with a replica. */
export interface FleetCluster extends TestCluster, FleetServer {}

/** It keeps everything. */
export async function startFleetCluster(): Promise<FleetCluster> {
  const cluster = await startTestCluster({ replicas: 3 });
  return { ...cluster, url: cluster.nodes.join() };
}

/** It keeps the queues; all else is on a single Redis. */
export async function startFleetOfQueues(): Promise<FleetCluster> {
  const [cluster, redis] = await Promise.all([startTestCluster({ replicas: 3 }), startTestRedis()]);
  return {
    ...cluster,
    url: redis.url,
    env: { REDIS_QUEUE_URL: cluster.nodes.join() },
    stop: async () => void (await Promise.all([cluster.stop(), redis.stop()])),
  };
}
