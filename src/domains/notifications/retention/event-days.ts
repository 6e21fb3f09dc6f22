import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './event-days.sql.js';
import { FIRST, inRounds } from './rounds.js';

/** Events that move while nobody can write any: some hundredths of a second. */
const MOST_MOVED = 2_000;

/** Where a round is. */
interface Place {
  /** The day that is looked through, or that was looked at last. */
  readonly day: string;
  /** The last request that was looked at for it; null between two days. */
  readonly after: { readonly at: Date; readonly id: string } | null;
  /** Requests that keep events in it, and how many these are. */
  readonly kept: readonly string[];
  readonly events: number;
}

const START: Place = { day: '0001-01-01', after: null, kept: [], events: 0 };

/**
 * Drops old days of delivery_events, the oldest first. What has to stay of a day is looked for page by page while everybody goes on
 * writing; then the day goes in one short step, and what stays moves to the default partition. A day of which more than `mostMoved`
 * events have to stay is left until it has fewer. A process may be killed at any line: another begins with that day anew.
 *
 * @param firstKept the first day that is kept (UTC, as `2026-11-24`)
 */
export function forgetEventDays(
  deps: {
    readonly postgres: Queryable;
    readonly clock: Clock;
    readonly firstKept: () => Promise<string>;
    readonly dropped: (days: number) => void;
  },
  mostMoved = MOST_MOVED,
): Forget {
  const { postgres, clock } = deps;

  async function drop(day: string): Promise<void> {
    const { rows } = await postgres.query(statements.drop, [day]);
    if (rows[0]!.done) deps.dropped(1);
  }

  async function look({ day, after, ...before }: Place, limit: number): Promise<Place> {
    const { at, id } = after ?? FIRST;
    const { rows } = await postgres.query(statements.findKept, [day, at, id, limit, mostMoved]);
    const page = rows[0]!;
    const kept = [...before.kept, ...page.kept];
    const events = before.events + page.events;
    const done: Place = { ...START, day };
    if (events > mostMoved) return done;
    if (!page.isLast && page.lastAt && page.lastId)
      return { day, after: { at: page.lastAt, id: page.lastId }, kept, events };
    const { rows: detached } = await postgres.query(statements.detach, [day, kept]);
    if (detached[0]!.done) await drop(day);
    return done;
  }

  return inRounds(clock, START, async (place, limit) => {
    if (place.after) return look(place, limit);
    const { rows } = await postgres.query(statements.nextDay, [place.day, await deps.firstKept()]);
    const [next] = rows;
    if (next?.isAttached) return look({ ...START, day: next.day }, limit);
    // Somebody was killed between the two steps.
    if (next) await drop(next.day);
    return next ? { ...START, day: next.day } : null;
  });
}
