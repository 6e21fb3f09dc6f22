import { Counter, type Registry } from 'prom-client';
import type { z } from 'zod';
import type { Logger } from '../logging/logger.js';

/**
 * What is read from Redis may have been written by another version, or by hand. Whatever does not parse is as good as
 * absent: it is counted, removed or overwritten, and made anew of Postgres.
 *
 * Shapes are distinguished by their values and not by their keys: the process that makes a cached value untrue, which may be of
 * another version, must reach it. A value whose fields change needs nothing: shapes are strict. One whose fields stay and
 * whose meaning changes gets another field.
 */
const discarded = new Counter({
  name: 'redis_values_discarded_total',
  help: 'Values in Redis that were not what they should be, and were removed, by kind',
  labelNames: ['kind'],
  registers: [],
});

const LOG_EVERY_MS = 1_000;
let log: Logger | undefined;
const loggedAt = new Map<string, number>();

/** Shows what is discarded in a process's metrics and, once a second for each kind, in its log. */
export function observeDiscardedValues(metrics: Registry, logger: Logger): void {
  metrics.registerMetric(discarded);
  log = logger;
}

/** Counts a value that is not what it should be; the caller removes or overwrites it. */
export function noteDiscarded(kind: string, fields: object = {}): void {
  discarded.inc({ kind });
  const now = performance.now();
  if (now - (loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
  loggedAt.set(kind, now);
  log?.warn({ kind, ...fields }, 'a value in Redis is not what it should be; it is made anew');
}

/** The value that a text stands for; undefined where it is none of this shape. */
export function parseJson<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    const read = shape.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** The same; what is none of this shape is counted. */
export function parseRedisValue<T>(kind: string, shape: z.ZodType<T>, text: string): T | undefined {
  const value = parseJson(shape, text);
  if (value === undefined) noteDiscarded(kind);
  return value;
}
