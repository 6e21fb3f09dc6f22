import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { inRounds } from '../retention/rounds.js';
import type { Channel, Priority } from '../types.js';
import { type Counter, counters, type Rollup, rollUp, unroll } from './rollup.js';
import { sql as statements } from './rollups.sql.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Until then hours can be split by the minute. */
const MINUTES_KEPT_MS = 30 * DAY_MS;

/** The start of the minute, hour or day (UTC) that an instant lies in. */
export const startOf = (at: number, ms: number): number => Math.floor(at / ms) * ms;

/** A row of notification_rollups, as JSON. */
export type RollupRow = Readonly<Record<Counter, number>> & {
  readonly seconds: number;
  readonly starts_at: string;
  readonly channel: Channel;
  readonly priority: Priority;
  readonly notification_type: string;
  readonly template_id: string;
  readonly latency_buckets: readonly number[];
  readonly latency_counts: readonly number[];
};

/** The minutes, hours or days (by their milliseconds) that begin in [from, until). */
export async function readRollups(
  postgres: Queryable,
  ms: number,
  from: number,
  until: number,
): Promise<readonly Rollup[]> {
  const values = [ms / 1_000, new Date(from), new Date(until)];
  const { rows } = await postgres.query(statements.rows, values);
  return rows.map(({ row }) => toRollup(row));
}

/** Adds to minutes, hours or days. The caller holds the state's row. */
export async function addRollups(tx: Queryable, ms: number, rollups: readonly Rollup[]): Promise<void> {
  if (rollups.length === 0) return;
  await tx.query(statements.add, [JSON.stringify(rollups.map((rollup) => toRow(rollup, ms / 1_000)))]);
}

/** Replaces the minutes, hours or days that begin in [from, until). The caller holds the state's row. */
export async function replaceRollups(
  tx: Queryable,
  ms: number,
  from: number,
  until: number,
  rollups: readonly Rollup[],
): Promise<void> {
  await tx.query(statements.clear, [ms / 1_000, new Date(from), new Date(until)]);
  await addRollups(tx, ms, rollups);
}

/** Replaces an hour by what its minutes add up to, or a day by its hours. The caller holds the state's row. */
export async function addUp(tx: Queryable, partMs: number, wholeMs: number, startsAt: number): Promise<void> {
  const parts = await readRollups(tx, partMs, startsAt, startsAt + wholeMs);
  const whole = rollUp(parts.flatMap((part) => [...unroll({ ...part, startsAt })]));
  await replaceRollups(tx, wholeMs, startsAt, startsAt + wholeMs, whole);
}

/** Lets go minutes of more than 30 days ago, whose hours stay: from the oldest on, once an hour. */
export const forgetMinutes = ({ postgres, clock }: { postgres: Queryable; clock: Clock }): Forget =>
  inRounds(clock, new Date(0), async (from, limit) => {
    const first = new Date(startOf(clock.now() - MINUTES_KEPT_MS, HOUR_MS));
    await postgres.query(statements.stopReadingMinutes, [first]);
    const { rows } = await postgres.query(statements.forgetMinutes, [from, limit]);
    const { found, lastAt } = rows[0]!;
    return found < limit ? null : lastAt;
  });

/** A rollup of so many seconds as its row. */
export function toRow(rollup: Rollup, seconds: number): RollupRow {
  const { startsAt, channel, priority, notificationType, templateId, counts, latencies } = rollup;
  const buckets = [...latencies].sort(([one], [other]) => one - other);
  return {
    seconds,
    starts_at: new Date(startsAt).toISOString(),
    ...{ channel, priority, notification_type: notificationType, template_id: templateId },
    ...(Object.fromEntries(counters.map((counter) => [counter, counts.get(counter) ?? 0])) as Record<
      Counter,
      number
    >),
    latency_buckets: buckets.map(([bucket]) => bucket),
    latency_counts: buckets.map(([, count]) => count),
  };
}

function toRollup(row: RollupRow): Rollup {
  return {
    startsAt: Date.parse(row.starts_at),
    ...{ channel: row.channel, priority: row.priority },
    ...{ notificationType: row.notification_type, templateId: row.template_id },
    counts: new Map(counters.map((counter) => [counter, row[counter]])),
    latencies: new Map(row.latency_buckets.map((bucket, index) => [bucket, row.latency_counts[index]!])),
  };
}
