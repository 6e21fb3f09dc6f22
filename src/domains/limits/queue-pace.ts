import type { Tier } from '../../platform/gate.js';

/**
 * The least milliseconds from the moment at which the head of a queue is admitted until a request behind it may be, by the
 * tier's rule alone: other processes, and the caller's other requests, make it longer.
 *
 * @param head what the head charges
 * @param behind what those after it charge together, the last one included
 */
export function waitBehindHead(
  { algorithm, limit, perWindow, windowSeconds }: Tier,
  head: number,
  behind: number,
) {
  const windowMs = windowSeconds * 1_000;
  switch (algorithm) {
    case 'fixed_window':
    case 'sliding_window_log':
      // The head waits for a window to end, so a new window begins with it.
      return (Math.ceil((head + behind) / limit) - 1) * windowMs;
    case 'sliding_window_counter': // what the last window held fades evenly
    case 'token_bucket':
    case 'leaky_bucket':
      return (behind / perWindow) * windowMs;
  }
}
