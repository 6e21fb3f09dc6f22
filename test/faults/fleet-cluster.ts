import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import type { FleetServer } from './fleet.js';

/** A Redis Cluster of three masters, each with a replica, that keeps everything. */
export interface FleetCluster extends TestCluster, FleetServer {}

export async function startFleetCluster(): Promise<FleetCluster> {
  const cluster = await startTestCluster({ replicas: 3 });
  return { ...cluster, url: cluster.nodes.join() };
}
