import type { Registry } from 'prom-client';
import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { Redis } from '../../../platform/redis/redis.js';
import { observeSample } from '../sample.js';
import { consumeSteps } from './consume.js';
import { readQueues } from './queues.js';
import { readSeries, readTotals } from './read.js';
import { reconcile } from './reconcile.js';
import { readScope } from './scope.js';
import { readState } from './state.js';

export type { QueueStats } from './queues.js';
export type { LatencyQuantiles } from './read.js';
export { forgetMinutes } from './rollups.js';
export type { Scope } from './scope.js';

/** What became of deliveries: of a campaign, for its producer, and of all, for admins alone. A caller must have checked that. */
export type Analytics = ReturnType<typeof createAnalytics>;

export interface AnalyticsDeps {
  readonly postgres: Postgres;
  readonly replicas: Queryable;
  readonly redis: Redis;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export function createAnalytics(deps: AnalyticsDeps) {
  observeLag(deps);
  return {
    scope: readScope,
    ...bind(deps.replicas, { totals: readTotals, series: readSeries }),
    ...bind(deps, { queues: readQueues }),
    /** `consume` runs every second, `reconcile` every 10 s. */
    keeper: bind(deps, { consume: consumeSteps, reconcile }),
  };
}

function observeLag({ postgres, clock, metrics }: AnalyticsDeps): void {
  const lag = {
    name: 'notification_analytics_lag_seconds',
    help: 'Since when analytics are not yet counted from the table of events; NaN until it is known',
  };
  const closedUntil = async () => (await readState(postgres)).closedUntil.getTime();
  observeSample(metrics, lag, closedUntil, (until) => (clock.now() - until) / 1_000);
}
