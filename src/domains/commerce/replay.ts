import type { Caller } from '../../platform/auth/caller.js';
import type { Clock } from '../../platform/clock.js';
import { PublicError } from '../../platform/errors.js';
import type { EventLog, RecordedEvent } from '../../platform/event-log/index.js';
import type { InTurn } from '../../platform/event-log/turns.js';
import type { ReplaySnapshots, ReplayView } from './replay-snapshots.js';

/** Events of a statement, and from snapshot to snapshot. */
const PAGE = 200;

interface ReplayOf {
  readonly streamId: string;
  readonly view: ReplayView;
  readonly what: string;
  readonly asOf: Date;
  readonly through?: number;
}

/** What replays work with. */
export interface ReplayDeps {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly clock: Clock;
  readonly inTurn: InTurn;
  readonly snapshots: ReplaySnapshots;
}

/**
 * What the events of a stream up to and including a moment make of it. The moment is in whole milliseconds, as events'
 * `createdAt` is everywhere it is shown: an event's own `createdAt` includes it, and whatever else happened in the same
 * millisecond.
 *
 * Goes on from the last snapshot by then, which earlier replays left at every 200th event: a long stream is read from its
 * beginning once. That is much work: a viewer's replays in this process take turns, so that nobody's keep it from others.
 *
 * @param view under which snapshots of what `after` makes are kept
 * @param what the stream is about, for people
 * @param through events after this position of the log are left out, whatever their date; absent: none are
 * @param after what an event makes of what was before it; null: nothing yet
 * @throws PublicError BAD_USER_INPUT for an invalid date; AS_OF_IN_FUTURE; AS_OF_TOO_EARLY before the first event
 */
export async function replayUntil<View>(
  { clock, inTurn, ...deps }: ReplayDeps,
  caller: Caller,
  { streamId, view: kind, what, asOf, through }: ReplayOf,
  after: (view: View | null, event: RecordedEvent) => View,
): Promise<View> {
  const { view, reached } = await inTurn(caller.viewer.userId, () =>
    replay(deps, { streamId, view: kind, asOf, through }, after),
  );
  // The database's clock, which events are dated by, may be ahead of ours: what it has reached is no future.
  if (asOf.getTime() > Math.max(clock.now(), reached)) {
    throw new PublicError('AS_OF_IN_FUTURE', 'asOf lies in the future', ['asOf']);
  }
  if (!view) throw new PublicError('AS_OF_TOO_EARLY', `asOf lies before the ${what}’s first event`, ['asOf']);
  return view;
}

/** @throws PublicError BAD_USER_INPUT */
export function assertDate(asOf: Date): void {
  if (Number.isNaN(asOf.getTime())) throw new PublicError('BAD_USER_INPUT', 'asOf is no date', ['asOf']);
}

/** Page by page, so that a long stream costs time but no memory. */
async function replay<View>(
  { log, snapshots }: Pick<ReplayDeps, 'log' | 'snapshots'>,
  of: { streamId: string; view: ReplayView; asOf: Date; through: number | undefined },
  after: (view: View | null, event: RecordedEvent) => View,
): Promise<{ view: View | null; reached: number }> {
  const { streamId, asOf, through = Number.POSITIVE_INFINITY } = of;
  const start = await snapshots.find<View>(streamId, of.view, asOf, through);
  let view: View | null = start ? start.state : null;
  let position = start?.streamPosition ?? -1;
  let reached = start?.at.getTime() ?? Number.NEGATIVE_INFINITY;
  for (;;) {
    const events = await log.readStream(streamId, position, PAGE);
    for (const event of events) {
      reached = event.createdAt.getTime();
      // Dates in a stream never go back: nothing that follows can be earlier.
      if (reached > asOf.getTime() || event.globalPosition > through) return { view, reached };
      view = after(view, event);
      position = event.streamPosition;
    }
    if (events.length < PAGE) return { view, reached };
    await snapshots.save(of.view, events.at(-1)!, view);
  }
}
