import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { Channel, Priority } from '../types.js';
import { type Counter, counters, type Rollup, rollUp, unroll } from './rollup.js';

const statements = loadStatements(new URL('./rollups.sql', import.meta.url), ['add', 'clear', 'minutes']);

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** The start of the minute or hour that an instant lies in. */
export const startOf = (at: number, ms: number): number => Math.floor(at / ms) * ms;

/** A row of notification_rollups, as JSON. */
type Row = Readonly<Record<Counter, number>> & {
  readonly seconds: number;
  readonly starts_at: string;
  readonly channel: Channel;
  readonly priority: Priority;
  readonly notification_type: string;
  readonly template_id: string;
  readonly latency_buckets: readonly number[];
  readonly latency_counts: readonly number[];
};

/** The minutes that begin in [from, until). */
export async function readMinutes(
  postgres: Queryable,
  from: number,
  until: number,
): Promise<readonly Rollup[]> {
  const { rows } = await postgres.query<{ row: Row }>(statements.minutes, [new Date(from), new Date(until)]);
  return rows.map(({ row }) => toRollup(row));
}

/** Adds to minutes. The caller holds the state's row. */
export const addToMinutes = (tx: Queryable, rollups: readonly Rollup[]): Promise<void> =>
  add(tx, MINUTE_MS, rollups);

/** Replaces the minutes that begin in [from, until). The caller holds the state's row. */
export const replaceMinutes = (
  tx: Queryable,
  from: number,
  until: number,
  rollups: readonly Rollup[],
): Promise<void> => replace(tx, MINUTE_MS, from, until, rollups);

/** Replaces an hour by what its minutes add up to. The caller holds the state's row. */
export async function replaceHour(tx: Queryable, startsAt: number): Promise<void> {
  const minutes = await readMinutes(tx, startsAt, startsAt + HOUR_MS);
  const hour = rollUp(minutes.flatMap((minute) => [...unroll({ ...minute, startsAt })]));
  await replace(tx, HOUR_MS, startsAt, startsAt + HOUR_MS, hour);
}

async function replace(
  tx: Queryable,
  ms: number,
  from: number,
  until: number,
  rollups: readonly Rollup[],
): Promise<void> {
  await tx.query(statements.clear, [ms / 1_000, new Date(from), new Date(until)]);
  await add(tx, ms, rollups);
}

async function add(tx: Queryable, ms: number, rollups: readonly Rollup[]): Promise<void> {
  if (rollups.length === 0) return;
  await tx.query(statements.add, [JSON.stringify(rollups.map((rollup) => toRow(rollup, ms / 1_000)))]);
}

function toRow(rollup: Rollup, seconds: number): Row {
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

function toRollup(row: Row): Rollup {
  return {
    startsAt: Date.parse(row.starts_at),
    ...{ channel: row.channel, priority: row.priority },
    ...{ notificationType: row.notification_type, templateId: row.template_id },
    counts: new Map(counters.map((counter) => [counter, row[counter]])),
    latencies: new Map(row.latency_buckets.map((bucket, index) => [bucket, row.latency_counts[index]!])),
  };
}
