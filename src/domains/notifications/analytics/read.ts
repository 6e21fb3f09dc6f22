import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import { type Latencies, quantile } from './latencies.js';
import { sql as statements } from './read.sql.js';
import { isLong, pointsOf, type Scope } from './scope.js';

/** A point of which anything was counted: its number from 0, and what each bucket of latencies counts. */
type PointRow = RowOf<typeof statements.points>;

/** What happened, in events. What a suspected bot did is counted as that alone. */
type Counts = Omit<PointRow, 'point' | 'latencyBuckets' | 'latencyCounts'>;

const nothing: Counts = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  dismissed: 0,
  unsubscribed: 0,
  failed: 0,
  expired: 0,
  suppressed: 0,
  suspectedBots: 0,
};

/** Null where nothing was delivered. */
export interface LatencyQuantiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface Totals extends Counts {
  /** Delivered over sent; null where nothing was sent, and so on. */
  readonly deliveryRate: number | null;
  readonly openRate: number | null;
  readonly clickRate: number | null;
  readonly latencyMs: LatencyQuantiles;
}

/** A step of a series. */
export interface AnalyticsPoint extends Counts {
  readonly at: Date;
  readonly p99LatencyMs: number | null;
}

/** All of a scope together. */
export async function readTotals(postgres: Queryable, scope: Scope): Promise<Totals> {
  const seconds = Math.max(1, (scope.to - scope.from) / 1_000);
  const [row] = await readPoints(postgres, scope, seconds, false);
  const counts = row ? countsOf(row) : nothing;
  const latencies = latenciesOf(row);
  return {
    ...counts,
    deliveryRate: ratio(counts.delivered, counts.sent),
    openRate: ratio(counts.opened, counts.delivered),
    clickRate: ratio(counts.clicked, counts.opened),
    latencyMs: {
      p50: quantile(latencies, 0.5),
      p95: quantile(latencies, 0.95),
      p99: quantile(latencies, 0.99),
    },
  };
}

/**
 * A scope step by step, from its first minute on; a point in which nothing happened is there too. Over more than two days an hour
 * counts as a whole, in the step in which it begins.
 *
 * @throws PublicError as `pointsOf`
 */
export async function readSeries(
  postgres: Queryable,
  scope: Scope,
  stepSeconds: number,
): Promise<readonly AnalyticsPoint[]> {
  const points = pointsOf(scope, stepSeconds);
  const found = await readPoints(postgres, scope, stepSeconds, isLong(scope));
  const rows = new Map(found.map((row) => [row.point, row]));
  return points.map((at, point) => {
    const row = rows.get(point);
    return {
      ...(row ? countsOf(row) : nothing),
      at: new Date(at),
      p99LatencyMs: quantile(latenciesOf(row), 0.99),
    };
  });
}

async function readPoints(
  postgres: Queryable,
  { from, to, channel, priority, notificationType, templateId, campaignId }: Scope,
  stepSeconds: number,
  byTheHour: boolean,
): Promise<readonly PointRow[]> {
  if (from >= to || campaignId === null) return [];
  if (![notificationType, templateId].every((text) => isStorable(text ?? ''))) return [];
  const values = [
    new Date(from),
    new Date(to),
    stepSeconds,
    channel ?? null,
    priority ?? null,
    notificationType ?? null,
    templateId ?? null,
  ];
  const { rows } =
    campaignId === undefined
      ? await postgres.query(statements.points, [...values, byTheHour])
      : await postgres.query(statements.pointsOfCampaign, [...values, campaignId]);
  return rows;
}

const countsOf = ({ point: _, latencyBuckets: __, latencyCounts: ___, ...counts }: PointRow): Counts =>
  counts;

function latenciesOf(row: PointRow | undefined): Latencies {
  const counts = row?.latencyCounts ?? [];
  return new Map((row?.latencyBuckets ?? []).map((bucket, index) => [bucket, counts[index]!]));
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
