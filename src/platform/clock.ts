/** The source of time. Tests hold it; production reads the machine's clock. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch (UTC). */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
