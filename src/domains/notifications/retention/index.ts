import type { Clock } from '../../../platform/clock.js';
import type { RetentionConfig } from '../../../platform/config.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { NotificationMetrics } from '../metrics.js';
import { forgetEventDays } from './event-days.js';
import { inRounds } from './rounds.js';

const statements = loadStatements(new URL('./retention.sql', import.meta.url), [
  'forgetRequests',
  'forgetItems',
  'forgetStrayItems',
  'nextMonth',
  'dropPartition',
  'forgetAlerts',
]);

const DAY_MS = 86_400_000;
/** Events of one transaction, besides those of its last request. */
const EVENTS_A_CALL = 20_000;

interface RequestsRow {
  readonly lastAt: Date | null;
  readonly lastId: string;
  readonly isLast: boolean;
  readonly forgotten: number;
}

interface ItemsRow {
  readonly looked: number;
  readonly lastAt: Date | null;
  readonly lastId: string;
  readonly forgotten: number;
}

/**
 * Lets go what is older than the configuration says, in the order in which it should be done. Nothing goes that still
 * waits: see forget_requests. Each call is one statement, so that a process may be killed at any of them.
 */
export function createRetention(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly metrics: Pick<NotificationMetrics, 'forgot'>;
  readonly retention: RetentionConfig;
}): readonly Forget[] {
  const { postgres, clock, metrics, retention } = deps;
  const daysAgo = (days: number): Date => new Date(clock.now() - days * DAY_MS);

  const requests = inRounds(clock, FIRST, async (after, limit) => {
    const before = daysAgo(retention.days);
    const { rows } = await postgres.query<RequestsRow>(statements.forgetRequests, [
      after.at,
      after.id,
      before,
      limit,
      EVENTS_A_CALL,
    ]);
    const { lastAt, lastId, isLast, forgotten } = rows[0]!;
    metrics.forgot('requests', forgotten);
    return isLast || lastAt === null ? null : { at: lastAt, id: lastId };
  });

  const eventDays = forgetEventDays({
    ...{ postgres, clock },
    firstKept: () => daysAgo(retention.days).toISOString().slice(0, 10),
    dropped: (days) => metrics.forgot('event_days', days),
  });

  const items = inRounds(clock, FIRST, async (after, limit) => {
    const before = daysAgo(retention.inboxDays);
    const { rows } = await postgres.query<ItemsRow>(statements.forgetItems, [
      before,
      after.at,
      after.id,
      limit,
    ]);
    const { looked, lastAt, lastId, forgotten } = rows[0]!;
    metrics.forgot('inbox_items', forgotten);
    return looked < limit || lastAt === null ? null : { at: lastAt, id: lastId };
  });

  const stray = createForget(postgres, statements.forgetStrayItems, () => daysAgo(retention.inboxDays));
  const strayItems: Forget = async (limit) => {
    const forgotten = await stray(limit);
    metrics.forgot('inbox_items', forgotten);
    return forgotten;
  };

  const itemMonths: Forget = async (limit) => {
    const values = [daysAgo(retention.inboxDays)];
    const { rows } = await postgres.query<{ partition: string; isAttached: boolean }>(
      statements.nextMonth,
      values,
    );
    const old = rows[0];
    if (!old) return 0;
    const { rows: dropped } = await postgres.query<{ done: boolean }>(statements.dropPartition, [
      old.partition,
    ]);
    if (!dropped[0]!.done) return 0;
    if (!old.isAttached) metrics.forgot('inbox_months', 1);
    return limit;
  };

  const alerts: Forget = async (limit) => {
    const { rowCount } = await postgres.query(statements.forgetAlerts, [daysAgo(retention.days), limit]);
    metrics.forgot('alerts', rowCount ?? 0);
    return rowCount ?? 0;
  };

  return [requests, eventDays, items, itemMonths, alerts, strayItems];
}

const FIRST = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };
