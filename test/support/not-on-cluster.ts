/** Files that a run with `TEST_REDIS=cluster` leaves out, since a Cluster would show nothing about them that a plain run does not. */
export const notOnCluster: readonly string[] = [
  // They start the servers whose faults they are about: one that is killed, frozen or restored, or that is behind a proxy.
  'test/feed/unwritable-redis.int.test.ts',
  'test/limits/counters-failover.int.test.ts',
  'test/limits/counters-outage.int.test.ts',
  'test/limits/failover.e2e.test.ts',
  'test/limits/gate-media.e2e.test.ts',
  'test/limits/guarded-redis.int.test.ts',
  'test/limits/near-limits.int.test.ts',
  'test/limits/outage.e2e.test.ts',
  'test/limits/rule-keeper-outages.int.test.ts',
  'test/notifications/chaos.e2e.test.ts',
  'test/notifications/limits-outage.int.test.ts',
  // They start Clusters of their own in a plain run, too.
  'test/limits/counters-cluster.int.test.ts',
  'test/limits/gate-cluster.e2e.test.ts',
  'test/limits/guarded-redis-cluster.int.test.ts',
  'test/notifications/limits-cluster.int.test.ts',
  // They use no Redis.
  'test/feed/fan-out-progress.int.test.ts',
  'test/feed/media-*.int.test.ts',
  'test/feed/public-lookup.int.test.ts',
];
