import { NIL } from 'uuid';
import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './request-months.sql.js';
import { inRounds } from './rounds.js';

/** Deliveries that move while nobody can read or write any: some hundredths of a second. */
const MOST_MOVED = 1_000;

/** Runs in which a month that was looked through is tried to be taken out, before it is looked through anew. */
const MOST_TRIES = 5;

/**
 * A month's partitions: the end of their names, until when it is, and when the search in it began, by the database's clock. Those
 * that are not attached any more are only to be dropped.
 */
type Month = RowOf<typeof statements.nextMonth>;

/** Where a round is. */
interface Place extends Month {
  /** The last delivery, or audit record, that was looked at for it; null between two months. */
  readonly after: string | null;
  /** Requests of which something stays, and how many deliveries these have. */
  readonly kept: ReadonlySet<string>;
  readonly deliveries: number;
}

const START: Place = {
  ...{ month: '', until: new Date(0), isAttached: true, since: new Date(0) },
  ...{ after: null, kept: new Set<string>(), deliveries: 0 },
};

/**
 * Drops old months of requests, of their deliveries and of what became of these, the oldest first. What has to stay of a month is
 * looked for page by page while everybody goes on; then the month goes in one short step, and what stays moves to the default
 * partitions. A step that somebody's locks were in the way of is tried again in the next run. A month of which more than `mostMoved`
 * deliveries have to stay is left until it has fewer. A process may be killed at any line: another begins with that month anew.
 */
export function forgetRequestMonths(
  deps: {
    readonly postgres: Queryable;
    readonly clock: Clock;
    /** All of a month must be from before this instant. */
    readonly before: () => Promise<Date>;
    readonly dropped: () => void;
  },
  mostMoved = MOST_MOVED,
): Forget {
  const { postgres, clock } = deps;
  let tries = 0;
  const over = ({ month, until, isAttached, since }: Place): Place => ({
    ...START,
    ...{ month, until, isAttached, since },
  });

  async function nextMonth(until: Date): Promise<Month | null> {
    const { rows } = await postgres.query(statements.nextMonth, [until, await deps.before()]);
    return rows[0] ?? null;
  }

  /** @returns the next place; null where the month could not be taken out yet */
  async function lookForKept(place: Place, limit: number): Promise<Place | null> {
    const known = [...place.kept];
    const values = [place.month, place.after ?? NIL, await deps.before(), limit, mostMoved, known];
    const { rows } = await postgres.query(statements.findKept, values);
    const page = rows[0]!;
    const kept = new Set([...known, ...page.kept]);
    const deliveries = place.deliveries + page.deliveries;
    if (deliveries > mostMoved) return over(place);
    if (!page.isLast) return { ...place, after: page.lastId, kept, deliveries };
    const detached = await postgres.query(statements.detach, [place.month, [...kept], place.since]);
    const isOut = detached.rows[0]!.done;
    tries = isOut || tries + 1 === MOST_TRIES ? 0 : tries + 1;
    if (tries > 0) return null;
    return isOut ? { ...place, isAttached: false, after: NIL } : over(place);
  }

  async function drop(place: Place, limit: number): Promise<Place> {
    const { rows } = await postgres.query(statements.forgetLetters, [place.month, place.after ?? NIL, limit]);
    if (!rows[0]!.isLast) return { ...place, after: rows[0]!.lastId };
    const dropped = await postgres.query(statements.drop, [place.month]);
    if (dropped.rows.every(({ done }) => done)) deps.dropped();
    return over(place);
  }

  return inRounds(clock, START, async (place, limit) => {
    const month = place.after === null ? await nextMonth(place.until) : place;
    if (!month) return null;
    const at = place.after === null ? { ...START, ...month } : place;
    if (!at.isAttached) return drop(at, limit);
    return (await lookForKept(at, limit)) ?? place;
  });
}
