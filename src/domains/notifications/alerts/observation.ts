import { z } from 'zod';
import { channels } from '../types.js';

/**
 * Bounds of the buckets in which latencies are counted, in milliseconds: the first bucket lies below the first, the
 * last one above the last. A rule's threshold is one of them, so that it is judged exactly.
 */
export const LATENCY_BOUNDS_MS = [
  50, 100, 250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000,
  300_000, 900_000, 3_600_000,
] as const;

const count = z.int().nonnegative();
const channel = z.enum(channels);
const latencies = z.array(count).length(LATENCY_BOUNDS_MS.length + 1);
/** Priorities whose latencies are counted beside high's. */
const slowerPriorities = ['medium', 'low'] as const;

/** What rules judge: what happened in a few seconds, and how things stood at their end. */
export const observation = z.object({
  /** Milliseconds since the epoch; attempts in [from, at) are counted. */
  from: z.number(),
  at: z.number(),
  /** Attempts that a provider took, and those that ended in a retry or a dead letter. */
  attempts: z.partialRecord(channel, z.object({ reached: count, failed: count })),
  /** High-priority deliveries that a provider took, by how long they had been on their way; see `LATENCY_BOUNDS_MS`. */
  latency: latencies,
  /** The same of the other priorities; absent where nothing was counted. */
  slowerLatency: z.partialRecord(z.enum(slowerPriorities), latencies).optional(),
  /** Deliveries that were given up in the five minutes before `at`. */
  dead: z.partialRecord(channel, count),
  /** Jobs that wait, by queue; null where the queues gave no answer. */
  waiting: z.record(z.string(), count).nullable(),
  openDeadLetters: count.nullable(),
});
export type Observation = Readonly<z.infer<typeof observation>>;

/** The time that `dead` looks back. */
export const DEAD_WINDOW_MS = 300_000;
