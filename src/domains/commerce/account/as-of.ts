import type { Caller } from '../../../platform/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { PublicError } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { InTurn } from '../../../platform/event-log/turns.js';
import { accountStream } from './events.js';
import { findOwnAccount } from './owner.js';
import type { AccountSummary } from './read.js';
import { type AccountView, toSummary, viewAfter } from './view.js';

const PAGE = 500;

/**
 * An account as it was at a moment, to its owner or an admin: its events up to and including that moment, replayed;
 * null where there is none. The moment is in whole milliseconds, as events' `createdAt` is everywhere it is shown: an
 * event's own `createdAt` includes it, and whatever else happened in the same millisecond.
 *
 * A long stream is much work: a viewer's replays in this process take turns, so that nobody's keep it from others.
 *
 * @throws PublicError BAD_USER_INPUT for an invalid date; FORBIDDEN; AS_OF_IN_FUTURE; AS_OF_TOO_EARLY before its first
 * event
 */
export async function readAccountAsOf(
  { log, clock, inTurn }: { log: Pick<EventLog, 'readStream'>; clock: Clock; inTurn: InTurn },
  caller: Caller,
  accountId: string,
  asOf: Date,
): Promise<AccountSummary | null> {
  if (Number.isNaN(asOf.getTime())) throw new PublicError('BAD_USER_INPUT', 'asOf is no date', ['asOf']);
  if (!(await findOwnAccount(log, caller, accountId))) return null;
  const { view, reached } = await inTurn(caller.viewer.userId, () => replay(log, accountId, asOf));
  // The database's clock, which events are dated by, may be ahead of ours: what it has reached is no future.
  if (asOf.getTime() > Math.max(clock.now(), reached)) {
    throw new PublicError('AS_OF_IN_FUTURE', 'asOf lies in the future', ['asOf']);
  }
  if (!view) throw new PublicError('AS_OF_TOO_EARLY', 'asOf lies before the account’s first event', ['asOf']);
  return toSummary(view);
}

/** Page by page, so that a long stream costs time but no memory. */
async function replay(
  log: Pick<EventLog, 'readStream'>,
  accountId: string,
  asOf: Date,
): Promise<{ view: AccountView | null; reached: number }> {
  let view: AccountView | null = null;
  let reached = Number.NEGATIVE_INFINITY;
  for (;;) {
    const events = await log.readStream(accountStream(accountId), view?.version ?? -1, PAGE);
    for (const event of events) {
      reached = event.createdAt.getTime();
      // Dates in a stream never go back: nothing that follows can be earlier.
      if (reached > asOf.getTime()) return { view, reached };
      view = viewAfter(view, event);
    }
    if (events.length < PAGE) return { view, reached };
  }
}
