/** At most so many in any stretch of so many seconds. */
export interface Limit {
  /** Names the limit among a user's, or among those that all share. */
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** Something that is to be counted in some limits of a user, in all of them or in none. */
export interface Check {
  readonly userId: string;
  /** What is in a limit's window by this name already fits it, and is not counted there again. */
  readonly name: string;
  /** One or more. */
  readonly windows: readonly Limit[];
}

/** What notifications need of the limits' counters. Where these cannot be reached, everything is admitted. */
export interface Quotas {
  /**
   * @returns for each check, in order: null where it is admitted, else which of its limits stays full for the longest,
   *   and until when
   */
  charge(
    checks: readonly Check[],
  ): Promise<readonly ({ readonly window: number; readonly retryAfterMs: number } | null)[]>;
  /** Counts one in a limit that all share: 0; or nothing, where it is used up: milliseconds until one fits. */
  chargeShared(limit: Limit): Promise<number>;
}
