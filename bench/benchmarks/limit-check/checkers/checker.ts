export type Answer = 'admitted' | 'refused' | 'unasked';

/** Somebody who counts the requests of users against limits that are kept in Redis. */
export interface Checker {
  /** Whether one more request of this user is admitted; charges it then. `unasked`: the counters gave no answer. */
  check(user: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day';
}

/** @param limits one or more, all of which must admit a request */
export type OpenChecker = (redisUrl: string, limits: readonly Limit[]) => Promise<Checker>;

const units = [
  { unit: 'second', windowSeconds: 1 },
  { unit: 'minute', windowSeconds: 60 },
  { unit: 'hour', windowSeconds: 3_600 },
  { unit: 'day', windowSeconds: 86_400 },
] as const;

/** The document's tiers of a user, with `requests` in each; a single one is the minute's. */
export const tiersOf = (count: 1 | 4, requests: number): Limit[] =>
  (count === 1 ? units.slice(1, 2) : units).map((unit) => ({ ...unit, requests }));
