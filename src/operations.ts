import type { Registry } from 'prom-client';
import type { Notifications, QueueStats } from './domains/notifications/index.js';
import { createOperationsHistory } from './operations-history.js';
import type { Clock } from './platform/clock.js';
import { waitFor, withinMs } from './platform/deadline.js';
import type { Queryable } from './platform/postgres/postgres.js';
import type { Measured } from './platform/process-counts/counts.js';
import { createProcessCounts, type Reading, shareWhileFollowed } from './platform/process-counts/index.js';
import { type LogProgress, readLogProgress } from './platform/projector/overview.js';
import { quantileOf } from './platform/quantile.js';
import type { Redis } from './platform/redis/redis.js';
import { createWakeUpPublisher } from './platform/wake-ups/wake-ups.js';

/** How the whole product does, over all processes, in about one second. */
export interface OperationsSample {
  readonly at: Date;
  /** None while Redis does not answer. */
  readonly queues: readonly QueueStats[];
  readonly deliveriesPerSecond: number;
  readonly feedReadsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly rateLimitedPerSecond: number;
  /** Of the slowest projector. While Postgres does not answer: what it must be at least. */
  readonly projectorLagMs: number;
  /** 0 where there was none. */
  readonly feedReadP99Ms: number;
  readonly highPriorityP99Ms: number;
  /** How many processes the rates and the latencies are of. */
  readonly processes: number;
  /** Whether Redis and Postgres answered in time. */
  readonly isComplete: boolean;
}

/** The metrics that are summed up over all processes; the log and the queues are the same for all. */
const MEASURED = {
  counters: {
    deliveries: { metric: 'notification_delivery_total', labels: { status: 'DELIVERED' } },
    feedReads: { metric: 'feed_read_seconds' },
    rateLimited: { metric: 'rate_limiter_requests_total', labels: { result: 'rejected' } },
  },
  histograms: {
    feedReads: { metric: 'feed_read_seconds' },
    highPriority: { metric: 'notification_latency_seconds', labels: { priority: 'high' } },
  },
} as const satisfies Measured<string, string>;

const SECOND_MS = 1_000;
/** For processes to hear that they are asked, and to answer. */
const SETTLE_MS = 250;
/** A sample waits no longer for queues and log. */
const ANSWER_MS = 500;

type Counted = Reading<keyof (typeof MEASURED)['counters'], keyof (typeof MEASURED)['histograms']>;

interface OperationsDeps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly notifications: { readonly analytics: Pick<Notifications['analytics'], 'queues'> };
}

/** Samples of the product, for admins alone: a caller must have checked that. */
export type Operations = ReturnType<typeof createOperations>;

export function createOperations(deps: OperationsDeps) {
  const { redis, metrics } = deps;
  const counts = createProcessCounts({
    redis,
    metrics,
    wakeUps: createWakeUpPublisher(redis),
    measured: MEASURED,
  });

  async function sampleEachSecond(emit: (sample: OperationsSample) => void, signal: AbortSignal) {
    const reader = counts.reader();
    let log: LogReading | undefined;
    for (let seconds = 0; !signal.aborted; seconds += 1) {
      const endOfSecond = waitFor(SECOND_MS, signal);
      void reader.ask();
      await waitFor(SETTLE_MS, signal);
      if (signal.aborted) return;
      const [counted, queues, progress] = await Promise.all([
        reader.read(),
        inTime(deps.notifications.analytics.queues()),
        inTime(readLogProgress(deps.postgres)),
      ]);
      const read = progress && { ...progress, at: performance.now() };
      // Rates need two readings.
      if (seconds > 0) emit(sampleOf(new Date(deps.clock.now()), counted, queues, logFiguresOf(log, read)));
      log = read ?? log;
      await endOfSecond;
    }
  }

  const follow = shareWhileFollowed(sampleEachSecond);
  const history = createOperationsHistory(deps);

  return {
    /** This process contributes its counts whenever a process asks; see `createProcessCounts`. */
    contribute: counts.contribute,
    /** A sample a second, the first after one, until `signal` aborts. All who follow in a process share the work. */
    follow,
    /** Takes one sample, in two seconds at most, and keeps it for `history`. Ends without one where `signal` aborts. */
    async keepSample(signal: AbortSignal): Promise<void> {
      for await (const sample of follow(signal)) return history.keep(sample);
    },
    /** What was kept in the last 15 minutes, oldest first: 90 samples at most. @throws where Redis does not answer */
    history: history.points,
  };
}

/** What fails is no reason to have no sample. */
const inTime = <T>(work: Promise<T>): Promise<T | undefined> =>
  withinMs(ANSWER_MS, work).catch(() => undefined);

interface LogReading extends LogProgress {
  /** By the monotonic clock, in milliseconds. */
  readonly at: number;
}

interface LogFigures {
  readonly eventsPerSecond: number;
  readonly projectorLagMs: number;
  readonly isKnown: boolean;
}

/**
 * Positions have no gaps, so the log's growth is what all processes have appended. While Postgres does not answer nothing is
 * appended, and what waits for a projector goes on waiting. Pure.
 *
 * @param before the last reading that succeeded
 * @param now undefined where this one failed
 */
export function logFiguresOf(
  before: LogReading | undefined,
  now: LogReading | undefined,
  at = performance.now(),
): LogFigures {
  if (now) {
    const seconds = before && (now.at - before.at) / SECOND_MS;
    const eventsPerSecond = before && seconds ? Math.max(0, now.head - before.head) / seconds : 0;
    return { eventsPerSecond, projectorLagMs: now.lagMs, isKnown: true };
  }
  const projectorLagMs = before && before.lagMs > 0 ? before.lagMs + at - before.at : 0;
  return { eventsPerSecond: 0, projectorLagMs, isKnown: false };
}

/** Pure. @param queues undefined where they could not be looked at */
export function sampleOf(
  at: Date,
  { processes, isWhole, perSecond, histograms }: Counted,
  queues: readonly QueueStats[] | undefined,
  { eventsPerSecond, projectorLagMs, isKnown }: LogFigures,
): OperationsSample {
  return {
    at,
    queues: queues ?? [],
    deliveriesPerSecond: perSecond.deliveries,
    feedReadsPerSecond: perSecond.feedReads,
    eventsPerSecond,
    rateLimitedPerSecond: perSecond.rateLimited,
    projectorLagMs,
    feedReadP99Ms: p99MsOf(histograms.feedReads),
    highPriorityP99Ms: p99MsOf(histograms.highPriority),
    processes,
    isComplete: isWhole && queues !== undefined && isKnown,
  };
}

/** Of a histogram of seconds. */
const p99MsOf = (histogram: Counted['histograms']['feedReads']): number =>
  ((histogram && quantileOf(histogram.bounds, histogram.counts, 0.99)) ?? 0) * 1_000;
