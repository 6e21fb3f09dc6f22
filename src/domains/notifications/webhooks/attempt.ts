/** How a request to a receiver ended. */
export type Reply =
  /** With an answer; of its body the beginning. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** Without one. */
  | { readonly kind: 'none'; readonly reason: string };

/** What becomes of an event after an attempt. */
export type Outcome =
  | { readonly kind: 'taken' }
  /** It is tried again after so many milliseconds. */
  | { readonly kind: 'retry'; readonly error: string; readonly delayMs: number }
  /** Its webhook gets nothing more. */
  | { readonly kind: 'disable'; readonly error: string; readonly reason: string };

/** An event that has failed for so long disables its webhook, and so does a receiver that took nothing for as long. */
export const GIVE_UP_AFTER_MS = 3 * 86_400_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 3_600_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;

/** Whether the receiver has the event. */
export const isTaken = (reply: Reply): boolean =>
  reply.kind === 'answer' && reply.status >= 200 && reply.status < 300;

/**
 * Judges an attempt: 2xx is taken; 410 says that there is no receiver any more; all else is tried again, for three days from the first
 * attempt that failed. Of a receiver that takes nothing, one event is tried at a time, each of many perhaps once: what counts then is for
 * how long it takes nothing.
 *
 * @param past.attempts of this event that failed before
 * @param past.failingSince milliseconds; when the first of them was, or now
 * @param past.nothingTakenSince milliseconds; null where its receiver took something lately
 * @param random uniform in [0, 1)
 */
export function judge(
  reply: Reply,
  past: {
    readonly attempts: number;
    readonly failingSince: number;
    readonly nothingTakenSince?: number | null;
  },
  now: number,
  random: number,
): Outcome {
  if (isTaken(reply)) return { kind: 'taken' };
  const error = errorOf(reply);
  if (reply.kind === 'answer' && reply.status === 410)
    return { kind: 'disable', error, reason: 'The receiver answered 410 Gone' };
  if (now - past.failingSince >= GIVE_UP_AFTER_MS)
    return { kind: 'disable', error, reason: `An event could not be delivered for 3 days: ${error}` };
  if (past.nothingTakenSince != null && now - past.nothingTakenSince >= GIVE_UP_AFTER_MS)
    return { kind: 'disable', error, reason: `No event could be delivered for 3 days: ${error}` };
  return {
    kind: 'retry',
    error,
    delayMs: fullJitter(past.attempts, FIRST_RETRY_MS, LONGEST_RETRY_MS, random),
  };
}

/** For how many milliseconds a receiver that takes nothing is left alone. */
export const pauseMs = (pausesBefore: number, random: number): number =>
  fullJitter(pausesBefore, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random);

/** Anything up to a bound that doubles each time, up to the longest: retries of many events spread evenly. */
const fullJitter = (before: number, firstMs: number, longestMs: number, random: number): number =>
  Math.floor(random * Math.min(longestMs, firstMs * 2 ** Math.min(before, 30)));

function errorOf(reply: Reply): string {
  if (reply.kind === 'none') return reply.reason;
  const { status } = reply;
  return status >= 300 && status < 400
    ? `the receiver answered ${status}: redirects are not followed`
    : `the receiver answered ${status}`;
}
