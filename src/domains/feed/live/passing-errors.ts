import { setTimeout as pause } from 'node:timers/promises';
import { PublicError } from '../../../platform/errors.js';
import { isUnavailable } from '../../../platform/unavailable.js';

/** Together with their pauses about a minute. */
const MOST_FAILURES = 12;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** Whether a read that failed so many times in a row is to be tried again: what it needs is overloaded, or away. */
export const isPassing = (error: unknown, failures: number): boolean =>
  failures < MOST_FAILURES &&
  (isUnavailable(error) || (error instanceof PublicError && error.code === 'SERVICE_UNAVAILABLE'));

/**
 * Waits before the next try: each time twice as long, up to 8 s, and each waits for another time. Thousands fail in one
 * instant, and would else all come back in one.
 */
export function pauseBefore(failures: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return pause(longest * (0.5 + Math.random() / 2), undefined, { ref: false });
}
