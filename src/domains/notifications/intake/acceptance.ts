import type { Priority } from '../types.js';
import type { Acceptance, Draft, Suppression } from './request.js';

/** Seconds within which each priority promises to arrive (notification document, limits). */
const PROMISED_SECONDS: Readonly<Record<Priority, number>> = { high: 1, medium: 30, low: 300 };

/** What the producer is answered once the drafts are stored. */
export function toAcceptance(
  request: { readonly priority: Priority; readonly scheduleAt?: Date | undefined },
  drafts: readonly Draft[],
  duplicates: readonly Suppression[],
  requestId: string,
  now: number,
): Acceptance {
  const leftOut = drafts.flatMap(({ userId, channel, suppression }) =>
    suppression ? [{ userId, channel, ...suppression }] : [],
  );
  const startsAt = Math.max(now, request.scheduleAt?.getTime() ?? now);
  return {
    requestId,
    status: 'accepted',
    notificationsQueued: drafts.length - leftOut.length,
    estimatedDelivery: new Date(startsAt + PROMISED_SECONDS[request.priority] * 1000).toISOString(),
    suppressed: [...leftOut, ...duplicates],
  };
}
