import { waitFor } from '../../../platform/deadline.js';
import { PublicError } from '../../../platform/errors.js';
import { isUnavailable } from '../../../platform/unavailable.js';

const MOST_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Whether a read that fails is to be tried again: what it needs is overloaded, or away.
 *
 * @param sinceMs since the first of the failures in a row, the reads themselves included: each may take half a minute
 */
export const isPassing = (error: unknown, sinceMs: number): boolean =>
  sinceMs < MOST_MS &&
  (isUnavailable(error) || (error instanceof PublicError && error.code === 'SERVICE_UNAVAILABLE'));

/**
 * Waits before the next try: each time twice as long, up to 8 s, and each waits for another time. Thousands fail in one
 * instant, and would else all come back in one. Ends at once where `signal` aborts.
 */
export async function pauseBefore(failures: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  await waitFor(longest * (0.5 + Math.random() / 2), signal);
}
