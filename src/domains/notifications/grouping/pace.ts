import { type Channel, goesToDevices } from '../types.js';

/** The last message that summed a group up on a channel. Stored as JSON. */
export interface Summary {
  readonly deliveryId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How many people it counted. */
  readonly count: number;
  /** The number of the newest of them within the group: who has a higher one came later. */
  readonly nth: number;
  /** Which of the group it is on this channel, from 1. */
  readonly revision: number;
}

/** A group as it is when its notifications are due on a channel. */
export interface GroupState {
  readonly count: number;
  /** The number of the newest person; 0 where there is nobody. */
  readonly newest: number;
  /** The last one on the channel; null: there was none yet. */
  readonly last: Summary | null;
  /** Its delivery was not sent yet: it waits in its mailbox, or for another attempt. */
  readonly isLastPending: boolean;
}

/**
 * What becomes of notifications of a group that are due on a channel.
 * - `known`: everybody was counted already, or has withdrawn
 * - `wait`: not before that instant, in milliseconds since the epoch
 * - `send`: now
 */
export type Plan =
  | { readonly kind: 'known' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'send'; readonly summary: Omit<Summary, 'deliveryId'> };

/** A summary that was not sent yet is waited for: it must not overtake a later one. The longer it takes, the longer. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const INBOX_PAUSE_MS = 1_000;
const FIRST_DEVICE_PAUSE_MS = 60_000;
const LONGEST_DEVICE_PAUSE_MS = 3_600_000;

/**
 * The first is sent at once. The inbox shows a later one within a second. Devices get one when the group has grown to 2, 5, 10, 20, 50,
 * 100, … people, and otherwise after a pause of a minute that doubles with each, up to an hour: a crowd makes a few pushes, and the
 * last one counts everybody.
 */
export function planSummary(state: GroupState, channel: Channel, now: number): Plan {
  const { count, newest: nth, last } = state;
  if (count === 0 || (last && nth <= last.nth)) return { kind: 'known' };
  const until = last ? nextAt(state, last, channel, now) : now;
  if (until > now) return { kind: 'wait', until };
  return { kind: 'send', summary: { at: now, count, nth, revision: (last?.revision ?? 0) + 1 } };
}

function nextAt({ count, isLastPending }: GroupState, last: Summary, channel: Channel, now: number): number {
  if (isLastPending) return now + Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, now - last.at));
  if (!goesToDevices(channel)) return last.at + INBOX_PAUSE_MS;
  if (milestone(count) > milestone(last.count)) return now;
  return last.at + Math.min(LONGEST_DEVICE_PAUSE_MS, FIRST_DEVICE_PAUSE_MS * 2 ** (last.revision - 1));
}

/** The highest of 1, 2, 5, 10, 20, 50, … that a count has reached. */
export function milestone(count: number): number {
  let reached = 0;
  for (let power = 1; power <= count; power *= 10)
    for (const step of [1, 2, 5]) if (step * power <= count) reached = step * power;
  return reached;
}
