import type { Clock } from '../../../platform/clock.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { RetentionConfig } from '../config.js';
import type { NotificationMetrics } from '../metrics.js';
import { forgetEventDays } from './event-days.js';
import { forgetLonePartitions } from './lone-partitions.js';
import { forgetRequestMonths } from './request-months.js';
import { sql as statements } from './retention.sql.js';
import { FIRST, inRounds } from './rounds.js';
import { forgetSearchDocuments } from './search-documents.js';

const DAY_MS = 86_400_000;
/** Events of one transaction, besides those of its last request. */
const EVENTS_A_CALL = 20_000;

/**
 * Deletes what is older than the configuration says, in the order in which it should be done. Nothing is deleted that still
 * waits: see forget_requests. Each call is one statement, so that a process may be killed at any of them.
 *
 * @param deps.now the clock that decides what is old: the database's unless given. `deps.clock` decides when the next round is due
 */
export function createRetention(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly metrics: Pick<NotificationMetrics, 'forgot'>;
  readonly retention: RetentionConfig;
  readonly now?: () => Promise<Date>;
}): readonly Forget[] {
  const { postgres, clock, metrics, retention, now = () => readNow(postgres) } = deps;
  const daysAgo = async (days: number): Promise<Date> => new Date((await now()).getTime() - days * DAY_MS);

  async function partitionAfter(partition: string | null, before: Date): Promise<string | null> {
    const { rows } = await postgres.query(statements.nextPartition, [partition, before]);
    return rows[0]?.partition ?? null;
  }

  const requests = inRounds(clock, FIRST_REQUEST, async (after, limit) => {
    const before = await daysAgo(retention.days);
    const partition = after.isOver ? await partitionAfter(after.partition, before) : after.partition;
    if (partition === null) return null;
    const { at, id } = after.isOver ? FIRST : after;
    const values = [partition, at, id, before, limit, EVENTS_A_CALL];
    const { rows } = await postgres.query(statements.forgetRequests, values);
    const { lastAt, lastId, isLast, forgotten } = rows[0]!;
    metrics.forgot('requests', forgotten);
    return isLast || lastAt === null || lastId === null
      ? { ...FIRST_REQUEST, partition }
      : { partition, isOver: false, at: lastAt, id: lastId };
  });

  const old = { postgres, clock, before: () => daysAgo(retention.days) };
  const requestMonths = forgetRequestMonths({ ...old, dropped: () => metrics.forgot('request_months', 1) });
  const lonePartitions = forgetLonePartitions(old);
  const eventDays = forgetEventDays({
    ...{ postgres, clock },
    firstKept: async () => (await old.before()).toISOString().slice(0, 10),
    dropped: (days) => metrics.forgot('event_days', days),
  });

  const items = inRounds(clock, FIRST, async (after, limit) => {
    const before = await daysAgo(retention.inboxDays);
    const { rows } = await postgres.query(statements.forgetItems, [before, after.at, after.id, limit]);
    const { looked, lastAt, lastId, forgotten } = rows[0]!;
    metrics.forgot('inbox_items', forgotten);
    return looked < limit || lastAt === null || lastId === null ? null : { at: lastAt, id: lastId };
  });

  const counted =
    (what: 'inbox_items' | 'alerts', forget: Forget): Forget =>
    async (limit) => {
      const forgotten = await forget(limit);
      metrics.forgot(what, forgotten);
      return forgotten;
    };

  const strayItems = counted(
    'inbox_items',
    createForget(postgres, statements.forgetStrayItems, () => daysAgo(retention.inboxDays)),
  );

  const itemMonths: Forget = async (limit) => {
    const values = [await daysAgo(retention.inboxDays)];
    const { rows } = await postgres.query(statements.nextMonth, values);
    const old = rows[0];
    if (!old) return 0;
    const { rows: dropped } = await postgres.query(statements.dropPartition, [old.partition]);
    if (!dropped[0]!.done) return 0;
    if (!old.isAttached) metrics.forgot('inbox_months', 1);
    return limit;
  };

  const alerts = counted('alerts', async (limit) => {
    const values = [await daysAgo(retention.days), limit];
    return (await postgres.query(statements.forgetAlerts, values)).rowCount ?? 0;
  });

  const documents = forgetSearchDocuments(old);

  return [
    requests,
    requestMonths,
    eventDays,
    items,
    itemMonths,
    alerts,
    strayItems,
    lonePartitions,
    ...documents,
  ];
}

const readNow = async (postgres: Queryable): Promise<Date> =>
  (await postgres.query(statements.readNow)).rows[0]!.now;

/** Where a round of requests begins; between two partitions it is over with one and not yet in the next. */
const FIRST_REQUEST: { partition: string | null; isOver: boolean; at: Date; id: string } = {
  ...FIRST,
  partition: null,
  isOver: true,
};
