import type { Detail, LifecycleEvent } from '../types.js';

export type WaitingStatus = 'QUEUED' | 'RETRYING' | 'SCHEDULED';

/**
 * How deliveries do not go on:
 * - WAITING: in its mailbox, behind others or for a worker
 * - RETRYING: an attempt failed, and another is planned
 * - DEFERRED: not now, for a reason
 * - SCHEDULED: its producer said when
 * - DEAD: given up
 */
export const backlogStates = ['WAITING', 'RETRYING', 'DEFERRED', 'SCHEDULED', 'DEAD'] as const;
export type BacklogState = (typeof backlogStates)[number];

/** What is known of a delivery that waits for another attempt or for its time. */
export interface Reason {
  readonly deliveryId: string;
  readonly lastError: string | null;
  readonly isFallback: boolean;
  /** Since when it is in its mailbox, or was accepted. */
  readonly since: Date;
  /** Its last one. */
  readonly event: LifecycleEvent | null;
  readonly detail: Detail | null;
  readonly at: Date | null;
}

export interface Cause {
  readonly state: BacklogState;
  /** A code; null where the state says it all. */
  readonly cause: string | null;
  readonly since: Date;
}

/** Why a delivery waits that is not in its mailbox. */
export function causeOf(
  status: WaitingStatus,
  { lastError, isFallback, since, event, detail, at }: Reason,
): Cause {
  const reason = typeof detail?.reason === 'string' ? detail.reason : null;
  if (status === 'RETRYING')
    return { state: 'RETRYING', cause: reason ?? (lastError && codeOf(lastError)), since };
  const putOffAt = at ?? since;
  if (event === 'SCHEDULED' && reason !== null) return { state: 'DEFERRED', cause: reason, since: putOffAt };
  if (event !== 'SCHEDULED' && isFallback) return { state: 'DEFERRED', cause: 'FALLBACK', since: putOffAt };
  return { state: 'SCHEDULED', cause: null, since: putOffAt };
}

/** The code that an error begins with. */
const codeOf = (error: string): string => error.split(':', 1)[0]!;

/** How many of one kind there are. */
export interface Count {
  readonly count: number;
  readonly isEstimate: boolean;
}

/**
 * How many of all there are of a kind, by how many of those that were looked at. Where all were looked at that is exact.
 *
 * @param total how many there are of all kinds
 */
export const shareOf = (count: number, looked: number, total: Count): Count =>
  looked >= total.count && !total.isEstimate
    ? { count, isEstimate: false }
    : { count: Math.max(count, Math.round((count / looked) * total.count)), isEstimate: true };
