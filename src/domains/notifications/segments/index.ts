import type { Clock } from '../../../platform/clock.js';
import type { Result } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres.js';

/** A filter over users that was parsed and type-checked: which users it means can be asked of Postgres. */
export interface Segment {
  /** The canonical text: filters that differ only in spacing, case of keywords or needless parentheses have the same. */
  readonly filter: string;
  /** What the condition's parameters stand for, in order. */
  readonly values: readonly unknown[];
  /** The condition in SQL over a row `u` of the audience; true or false, never NULL. Its parameters are `$first`, `$first+1`, … */
  conditionFrom(first: number): string;
}

/** A page of an audience. */
export interface AudiencePage {
  /** Those who match, in the order of the walk; there may be none on a page that is not the last. */
  readonly userIds: readonly string[];
  /** What to pass as `after` to go on; null at the end. */
  readonly next: string | null;
}

/**
 * Parses a filter and checks its types against the attributes that exist. `now()`, `lastSeenDays` and `createdDays` are as of
 * `clock`: whoever checks the same filter again and again (a campaign, at each page) passes a clock that stands still.
 *
 * Refused with FILTER_INVALID, ATTRIBUTE_UNKNOWN or ATTRIBUTE_TYPE; messages say line and column.
 *
 * @param path where the filter stands in the input
 */
export declare function checkFilter(
  deps: { readonly postgres: Queryable; readonly clock: Pick<Clock, 'now'> },
  filter: string,
  path: readonly string[],
): Promise<Result<Segment>>;

/**
 * The users of a segment, in the order of their ids: looks at `limit` users at most after the user `after`, and answers those who
 * match and whose account was created before `createdBefore`. One statement, two on the first page.
 */
export declare function audiencePage(
  postgres: Queryable,
  segment: Segment,
  page: { readonly after: string | null; readonly limit: number; readonly createdBefore: Date },
): Promise<AudiencePage>;

/** How many users a segment has, and some of them. */
export interface SegmentEstimate {
  /** Exact up to about 70,000 accounts, and for filters that an index answers; else projected from a sample. */
  readonly count: number;
  /** Ids of up to 10 users who match. */
  readonly sample: readonly string[];
}
