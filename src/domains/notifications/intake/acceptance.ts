import type { Priority } from '../types.js';
import type { Acceptance, Draft, Suppression } from './request.js';

/** Seconds within which each priority promises to arrive (notification document, limits). */
const PROMISED_SECONDS: Readonly<Record<Priority, number>> = { high: 1, medium: 30, low: 300 };

/** What the producer is answered once the drafts are stored. */
export function toAcceptance(
  request: { readonly priority: Priority },
  drafts: readonly Draft[],
  duplicates: readonly Suppression[],
  requestId: string,
  now: number,
): Acceptance {
  const leftOut = drafts.flatMap(({ userId, channel, suppression }) =>
    suppression ? [{ userId, channel, ...suppression }] : [],
  );
  const startsAt = startOf(
    drafts.filter(({ suppression }) => !suppression),
    now,
  );
  return {
    requestId,
    status: 'accepted',
    notificationsQueued: drafts.length - leftOut.length,
    estimatedDelivery: new Date(startsAt + PROMISED_SECONDS[request.priority] * 1000).toISOString(),
    suppressed: [...leftOut, ...duplicates],
  };
}

/** When the first of them goes: a schedule holds all of them back, and quiet hours may. */
const startOf = (drafts: readonly Draft[], now: number): number =>
  drafts.length === 0
    ? now
    : drafts.reduce((first, { dueAt }) => Math.min(first, dueAt?.getTime() ?? now), Number.POSITIVE_INFINITY);
