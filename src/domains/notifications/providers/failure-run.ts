import type { Clock } from '../../../platform/clock.js';

const MANY = 10;
/** So few are enough where they lie so far apart: on a quiet channel one message's attempts are all there is. */
const FEW = 3;
const FAR_APART_MS = 10_000;
/** A single failure so soon after a call that went through is that call's, not the service's. */
const RECENT_MS = 10_000;

/** A service's failures since a call last went through. */
export interface FailureRun {
  add(): void;
  /** A call went through. */
  end(): void;
  /** Whether the service should be left alone. */
  isLong(): boolean;
  /** For how long every call has failed; null where that may be due to a single message. */
  downForMs(): number | null;
}

export function createFailureRun(clock: Clock): FailureRun {
  let count = 0;
  let since = 0;
  let wentThroughAt = Number.NEGATIVE_INFINITY;

  return {
    add() {
      if (count === 0) since = clock.now();
      count += 1;
    },
    end() {
      count = 0;
      wentThroughAt = clock.now();
    },
    isLong: () => count >= MANY || (count >= FEW && clock.now() - since >= FAR_APART_MS),
    downForMs() {
      const isAlone = count < 2 && clock.now() - wentThroughAt < RECENT_MS;
      return count === 0 || isAlone ? null : clock.now() - since;
    },
  };
}
