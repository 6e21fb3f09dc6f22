const BASE_SECONDS = 1;
const MULTIPLIER = 5;
const CAP_SECONDS = 300;

/**
 * Seconds until the next attempt: full jitter (notification document, limits).
 *
 * @param attempt retries made so far
 * @param random uniform in [0, 1)
 */
export function backoffSeconds(attempt: number, random: number): number {
  return random * Math.min(BASE_SECONDS * MULTIPLIER ** attempt, CAP_SECONDS);
}
