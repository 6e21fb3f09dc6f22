/** The source of time. Tests hold it; production reads a corrected clock. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch (UTC). */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** From here on a difference is a wrong clock, and no slow answer or a server that waits for its time server. */
export const LARGEST_TRUSTED_SKEW_MS = 30_000;

/**
 * The machine's clock, held against a monotonic one: where it steps by more than 30 s, in either direction, time goes on as
 * if it had not, until `correct` says which of both is right. Readers see no step; timestamps that other hosts
 * read, lifetimes and ids come from it.
 *
 * @param onStep called once for each step, e.g. to ask other servers for the time
 */
export function createCorrectedClock({
  wall = Date.now,
  monotonic = () => performance.now(),
  onStep = () => {},
}: {
  readonly wall?: () => number;
  readonly monotonic?: () => number;
  readonly onStep?: () => void;
} = {}) {
  /** The wall time at the monotonic clock's zero. */
  let origin = wall() - monotonic();
  let isTrusted = true;

  return {
    now(): number {
      const time = wall();
      const sinceZero = monotonic();
      if (Math.abs(time - sinceZero - origin) <= LARGEST_TRUSTED_SKEW_MS) {
        // Small steps and the drift of a long life are the time server's business.
        origin = time - sinceZero;
        isTrusted = true;
        return time;
      }
      if (isTrusted) {
        isTrusted = false;
        onStep();
      }
      return Math.round(origin + sinceZero);
    },
    /** Gives the true time of this moment. A machine's clock that is within 30 s of it is trusted from now on. */
    correct(now: number): void {
      const time = wall();
      origin = (Math.abs(time - now) <= LARGEST_TRUSTED_SKEW_MS ? time : now) - monotonic();
    },
  };
}
