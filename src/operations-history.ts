import { z } from 'zod';
import type { OperationsSample } from './operations.js';
import type { Clock } from './platform/clock.js';
import { answersOf, KEY_PREFIX, type Redis } from './platform/redis/redis.js';
import { parseRedisValue } from './platform/redis/redis-value.js';

/** A list, newest first: a text for each sample that a worker keeps. */
export const HISTORY_KEY = `${KEY_PREFIX}:operations-history`;
/** How often a sample is kept. */
export const HISTORY_EVERY_MS = 10_000;
const KEPT_MS = 15 * 60_000;
const MOST_KEPT = KEPT_MS / HISTORY_EVERY_MS;

const pointSchema = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  waitingJobs: z.number(),
  deliveriesPerSecond: z.number(),
  feedReadsPerSecond: z.number(),
  eventsPerSecond: z.number(),
  rateLimitedPerSecond: z.number(),
  projectorLagMs: z.number(),
  feedReadP99Ms: z.number(),
  highPriorityP99Ms: z.number(),
  processes: z.number(),
  isComplete: z.boolean(),
});

/** A sample of the last minutes: what a small curve shows of it. */
export type OperationsPoint = Readonly<Omit<z.infer<typeof pointSchema>, 'at'>> & { readonly at: Date };

/** Samples of the last 15 minutes. Redis has the only copy: where it is lost, the curve begins anew. */
export function createOperationsHistory({ redis, clock }: { readonly redis: Redis; readonly clock: Clock }) {
  return {
    /** @throws where Redis does not take it */
    async keep(sample: OperationsSample): Promise<void> {
      const point = JSON.stringify(pointSchema.parse({ ...pointOf(sample), at: sample.at.getTime() }));
      await answersOf(
        redis
          .pipeline()
          .lpush(HISTORY_KEY, point)
          .ltrim(HISTORY_KEY, 0, MOST_KEPT - 1)
          .pexpire(HISTORY_KEY, KEPT_MS),
      );
    },

    /** Oldest first: 90 at most. @throws where Redis does not answer */
    async points(): Promise<readonly OperationsPoint[]> {
      const texts = await redis.lrange(HISTORY_KEY, 0, MOST_KEPT - 1);
      const since = clock.now() - KEPT_MS;
      return texts
        .flatMap((text) => parseRedisValue('operations_history', pointSchema, text) ?? [])
        .filter(({ at }) => at >= since)
        .toSorted((one, other) => one.at - other.at)
        .map((point) => ({ ...point, at: new Date(point.at) }));
    },
  };
}

/** Pure. */
const pointOf = ({ queues, ...sample }: OperationsSample): OperationsPoint => ({
  ...sample,
  waitingJobs: queues.reduce((sum, { waiting }) => sum + waiting, 0),
});
