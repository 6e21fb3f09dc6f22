import type { Clock } from '../../../platform/clock.js';

const MANY = 10;
/** So few are enough where they lie so far apart: on a quiet channel one message's attempts are all there is. */
const FEW = 3;
const FAR_APART_MS = 10_000;
/** A single failure so soon after a call that went through is that call's, not the service's. */
const RECENT_MS = 10_000;
const WINDOW_SECONDS = 10;
const MIN_CALLS = 20;

/** How a service's calls ended: the failures since one last went through, and their share of the last ten seconds' calls. */
export function createFailureRecord(clock: Clock) {
  let inARow = 0;
  let since = 0;
  let wentThroughAt = Number.NEGATIVE_INFINITY;
  let seconds: { readonly at: number; calls: number; failures: number }[] = [];

  function count(failures: 0 | 1): void {
    const now = Math.floor(clock.now() / 1000);
    seconds = seconds.filter(({ at }) => now - at < WINDOW_SECONDS);
    let last = seconds.at(-1);
    if (last?.at !== now) {
      last = { at: now, calls: 0, failures: 0 };
      seconds.push(last);
    }
    last.calls += 1;
    last.failures += failures;
  }

  /** Whether more than half of at least twenty calls failed. */
  function isShareHigh(): boolean {
    let calls = 0;
    let failures = 0;
    for (const second of seconds) {
      calls += second.calls;
      failures += second.failures;
    }
    return calls >= MIN_CALLS && failures > calls / 2;
  }

  return {
    /** @param ofProbe what was before it says nothing any more */
    wentThrough(ofProbe: boolean): void {
      inARow = 0;
      wentThroughAt = clock.now();
      if (ofProbe) seconds = [];
      count(0);
    },
    /** @returns whether the service should be left alone */
    failed(): boolean {
      if (inARow === 0) since = clock.now();
      inARow += 1;
      count(1);
      const isLong = inARow >= MANY || (inARow >= FEW && clock.now() - since >= FAR_APART_MS);
      return isLong || isShareHigh();
    },
    /** For how long every call has failed; null where that may be due to a single message. */
    downForMs(): number | null {
      const isAlone = inARow < 2 && clock.now() - wentThroughAt < RECENT_MS;
      return inARow === 0 || isAlone ? null : clock.now() - since;
    },
  };
}
