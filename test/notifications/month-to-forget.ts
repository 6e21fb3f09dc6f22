import { forgetRequestMonths } from '../../src/domains/notifications/retention/request-months.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import {
  type Accepted,
  DAY_MS,
  MONTHLY,
  type MonthsWorld,
  monthAfter,
  monthOf,
  openMonthsWorld,
} from './months-world.js';

export const LIMIT = 1_000;
export const dying = { failure: { error: 'gone', attempts: 1 } };
export const reached = { targets: [{ target: 'phone', error: null, providerId: 'p' }] };
/** Of a request that was forgotten: see `left`. */
export const nothing = { requests: 0, deliveries: 0, targets: 0, letters: 0 };

/** A world whose first month after the first partition is there, and what lets it go. */
export async function openMonthToForget() {
  const world = await openMonthsWorld();
  const month = await world.firstMonth();
  await world.sweepAt(month);

  /** One process; its clock may be moved. */
  function aProcess(at: Date | { now: number }, mostMoved?: number, postgres: Queryable = world.postgres) {
    const now = at instanceof Date ? () => at.getTime() : () => at.now;
    let dropped = 0;
    const step = forgetRequestMonths(
      {
        postgres,
        clock: { now },
        before: async () => new Date(now() - 90 * DAY_MS),
        dropped: () => {
          dropped += 1;
        },
      },
      mostMoved,
    );
    return { step, dropped: () => dropped };
  }

  return {
    world,
    month,
    due: dueOf(month),
    aProcess,
    /** A process goes through all months once; answers how many it dropped. */
    async forget(at = dueOf(month), mostMoved?: number, postgres?: Queryable): Promise<number> {
      const { step, dropped } = aProcess(at, mostMoved, postgres);
      while ((await step(LIMIT)) === LIMIT);
      return dropped();
    },
    /** A request that is over. */
    async sent(at = month): Promise<Accepted> {
      const accepted = await world.accept(at);
      for (const id of accepted.deliveryIds) await world.step(id, at, 'SENT', reached);
      return accepted;
    },
    left: (accepted: Accepted) => left(world, accepted),
    /** The month's partitions that are there. */
    monthsLeft: async (of = month): Promise<string[]> =>
      (
        await world.rows<{ name: string }>(
          `SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) ORDER BY 1`,
          [MONTHLY.map((table) => `${table}_${monthOf(of)}`)],
        )
      ).map(({ name }) => name),
  };
}
export type MonthToForget = Awaited<ReturnType<typeof openMonthToForget>>;

/** When a month may go. */
export const dueOf = (month: Date): Date => new Date(monthAfter(month, 1).getTime() + 90 * DAY_MS);

export const isDetach = (statement: Parameters<Queryable['query']>[0]): boolean =>
  typeof statement !== 'string' && statement.text.includes('detach_month');

/** Rows of each table that are left of a request. */
async function left(world: MonthsWorld, { requestId, deliveryIds }: Accepted) {
  const [row] = await world.rows<{ requests: number; deliveries: number; targets: number; letters: number }>(
    `SELECT (SELECT count(*)::int FROM notification_requests WHERE request_id = $1) AS requests,
            (SELECT count(*)::int FROM deliveries WHERE request_id = $1) AS deliveries,
            (SELECT count(*)::int FROM target_outcomes WHERE delivery_id = ANY ($2)) AS targets,
            (SELECT count(*)::int FROM failed_notifications WHERE delivery_id = ANY ($2)) AS letters`,
    [requestId, deliveryIds],
  );
  return row!;
}
