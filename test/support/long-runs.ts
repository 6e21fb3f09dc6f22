/**
 * Files that take about half a minute or more each: fleets of processes under faults, races and models with hundreds of runs, archives and
 * upgrades of whole databases. `npm test` runs them; `.ci/run` does so where there is time.
 */
export const longRuns: readonly string[] = [
  'test/faults/*.e2e.test.ts',
  'test/scale/*.e2e.test.ts',
  'test/commerce/chaos.e2e.test.ts',
  'test/deploy/point-in-time.e2e.test.ts',
  'test/edge/http/processes.e2e.test.ts',
  'test/feed/*-races.int.test.ts',
  'test/feed/model.int.test.ts',
  'test/feed/unwritable-redis.int.test.ts',
  'test/limits/counters-models.int.test.ts',
  'test/notifications/chaos.e2e.test.ts',
  'test/notifications/digests-once.int.test.ts',
  'test/notifications/quiet-outage.int.test.ts',
  'test/platform/event-archive*.int.test.ts',
  'test/platform/redis-garbage.e2e.test.ts',
  'test/platform/schedules.e2e.test.ts',
  'test/platform/traces-away.e2e.test.ts',
  'test/platform/upgrade/killed-upgrade.int.test.ts',
];
