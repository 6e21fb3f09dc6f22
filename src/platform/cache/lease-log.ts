import type { Logger } from '../logging/logger.js';

/** A process that has no lease within this time from its start logs it. */
const FIRST_LEASE_MS = 5_000;

/**
 * Logs when a process loses its cache lease, and when it has one again: one line a change.
 *
 * @param now milliseconds that only ever grow
 * @returns to be called after each renewal with whether the lease is held, and why it is not
 */
export function leaseLog(logger: Logger, now: () => number): (isHeld: boolean, error: unknown) => void {
  const openedAt = now();
  let wasHeld: boolean | undefined;
  return (isHeld, error) => {
    if (isHeld === wasHeld) return;
    const isFirst = wasHeld === undefined;
    // A process that starts connects first, and may find an epoch that is not settled: that is no outage.
    if (isFirst && !isHeld && now() - openedAt < FIRST_LEASE_MS) return;
    wasHeld = isHeld;
    if (isHeld && !isFirst) logger.info('answering from Redis again');
    else if (!isHeld)
      logger.warn({ err: error }, 'the cache lease ended: reads go to Postgres until Redis takes writes');
  };
}
