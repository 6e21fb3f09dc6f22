import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logger.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { Redis } from '../../../platform/redis.js';
import { createSample } from '../sample.js';
import { consumeSteps } from './consume.js';
import { type QueueStats, readQueues } from './queues.js';
import { type AnalyticsPoint, readSeries, readTotals, type Totals } from './read.js';
import { reconcile } from './reconcile.js';
import { type AnalyticsQuery, readScope, type Scope } from './scope.js';
import { readState } from './state.js';

export { notificationQueues, type QueueStats } from './queues.js';
export type { AnalyticsPoint, LatencyQuantiles, Totals } from './read.js';
export { forgetMinutes } from './rollups.js';
export type { AnalyticsQuery, Scope } from './scope.js';

/** What became of all deliveries, for admins alone: whoever asks must have checked that. */
export interface Analytics {
  /** See `readScope`, which may refuse. */
  scope(query: AnalyticsQuery): Scope;
  totals(scope: Scope): Promise<Totals>;
  /** See `readSeries`, which may refuse. */
  series(scope: Scope, stepSeconds: number): Promise<readonly AnalyticsPoint[]>;
  /** See `readQueues`. */
  queues(): Promise<readonly QueueStats[]>;
  readonly keeper: RollupKeeper;
}

/** The worker's side of analytics. Any process of the fleet may do any of it. */
export interface RollupKeeper {
  /** See `consumeSteps`. Done every second. */
  consume(signal: AbortSignal): Promise<void>;
  /** See `reconcile`. Done every 10 s. */
  reconcile(signal: AbortSignal): Promise<void>;
}

export interface AnalyticsDeps {
  readonly postgres: Postgres;
  readonly redis: Redis;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export function createAnalytics(deps: AnalyticsDeps): Analytics {
  const { postgres, clock } = deps;
  observeLag(deps);
  return {
    scope: readScope,
    totals: (scope) => readTotals(postgres, scope),
    series: (scope, stepSeconds) => readSeries(postgres, scope, stepSeconds),
    queues: () => readQueues(deps),
    keeper: {
      consume: (signal) => consumeSteps(deps, signal),
      reconcile: (signal) => reconcile({ postgres, clock }, signal),
    },
  };
}

function observeLag({ postgres, clock, metrics }: AnalyticsDeps): void {
  const closedUntil = createSample(async () => (await readState(postgres)).closedUntil.getTime());
  new Gauge({
    name: 'notification_analytics_lag_seconds',
    help: 'Since when analytics are not yet counted from the table of events; NaN until it is known',
    registers: [metrics],
    async collect() {
      this.set((clock.now() - ((await closedUntil.read()) ?? Number.NaN)) / 1_000);
    },
  });
}
