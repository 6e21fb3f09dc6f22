/** How long an open breaker waits before its first probe. */
const FIRST_WAIT_MS = 100;
/** The waits double up to this. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Whether a node may be asked. Closed: by everybody; open: by nobody; half-open: by one probe, whose outcome decides.
 * Times are milliseconds of one monotonic clock.
 */
export type Breaker =
  | { readonly kind: 'closed'; readonly since: number; readonly lastWait: number }
  | { readonly kind: 'open'; readonly probeAt: number; readonly wait: number }
  | { readonly kind: 'half_open'; readonly wait: number };

export const newBreaker: Breaker = { kind: 'closed', since: Number.NEGATIVE_INFINITY, lastWait: 0 };

/**
 * A run failed: a closed breaker opens. Runs that were on their way when it opened change nothing any more.
 *
 * @param random 0 to 1: spreads the probes of many processes
 */
export function afterFailure(breaker: Breaker, now: number, random: number): Breaker {
  if (breaker.kind !== 'closed') return breaker;
  // A node that answers probes and fails under load must not be tried ten times a second.
  const relapsed = now - breaker.since < LONGEST_WAIT_MS;
  return opened(relapsed ? longer(breaker.lastWait) : FIRST_WAIT_MS, now, random);
}

/** The wait of an open breaker may be over: then it is half-open, and its caller sends the one probe. */
export function whenProbeIsDue(breaker: Breaker, now: number): Breaker {
  if (breaker.kind !== 'open' || now < breaker.probeAt) return breaker;
  return { kind: 'half_open', wait: breaker.wait };
}

/** The probe has come back: the breaker closes, or opens for twice as long. */
export function afterProbe(breaker: Breaker, answered: boolean, now: number, random: number): Breaker {
  if (breaker.kind !== 'half_open') return breaker;
  if (answered) return { kind: 'closed', since: now, lastWait: breaker.wait };
  return opened(longer(breaker.wait), now, random);
}

const longer = (wait: number): number => Math.min(LONGEST_WAIT_MS, wait * 2);

const opened = (wait: number, now: number, random: number): Breaker => ({
  kind: 'open',
  wait,
  probeAt: now + wait * (1 - random / 4),
});
