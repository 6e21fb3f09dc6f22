import { BEGINNING, newestFirst, type PostPlace } from '../types.js';
import type { FeedOrder } from './feed-page.js';

/**
 * A stretch of a feed that is looked at together: at most 100 candidates when it was opened; several such, where RANKED
 * left a celebrity's posts for later. Both bounds are kept, so that later pages look at the same stretch, whatever came
 * or went meanwhile.
 */
export interface FeedWindow {
  /** Candidates lie below this place. */
  readonly from: PostPlace;
  /** And at or above this one. Null: not opened yet. */
  readonly to: PostPlace | null;
  /** When it was opened, in milliseconds since the epoch: from which ages are counted. */
  readonly openedAt: number;
  /**
   * When the last visible post above `from` was published (ms): celebrities' posts in the window are shown within a day
   * of it; see `within-a-day.ts`. Absent: the time of `from`.
   */
  readonly lastAbove?: number;
}

/** How far a reader has come in their feed: what a cursor says. */
export interface FeedCursor {
  readonly order: FeedOrder;
  /** Of the post shown last, or of what was looked at last. */
  readonly place: PostPlace;
  readonly window: FeedWindow;
  /**
   * Fingerprints of the window's posts that were shown, one behind the other: of RANKED all, of LATEST, which goes by
   * `place`, those that may hide near-identical ones.
   */
  readonly shown: string;
  /** Fingerprints of the sponsored posts that were shown on the way here, at most 100. Absent: none. */
  readonly advertised?: string;
}

/** A feed's first window begins in the future: its day is counted back from its opening. */
export const lastAboveOf = ({ lastAbove, from, openedAt }: FeedWindow): number =>
  Math.min(lastAbove ?? from.at, openedAt);

/** At a place, with nothing below it seen. */
export const cursorAt = (order: FeedOrder, place: PostPlace, lastAbove?: number): FeedCursor => ({
  order,
  place,
  window: { from: place, to: null, openedAt: 0, ...(lastAbove !== undefined && { lastAbove }) },
  shown: '',
});

export const isNewer = (a: PostPlace, b: PostPlace): boolean => newestFirst(a, b) < 0;

/** The window's last place is the end of the feed. */
export const endsFeed = (to: PostPlace): boolean => newestFirst(to, BEGINNING) === 0;

/** Hex digits of one fingerprint. */
export const FINGERPRINT = 16;
const EACH = new RegExp(`.{${FINGERPRINT}}`, 'g');

/** 8 bytes of a post id as hex digits: of a UUIDv7, those that are random. */
export const fingerprintOf = (postId: string): string => postId.slice(19, 23) + postId.slice(24);

/** Sponsored posts that a reader may be shown on one way through a feed. */
export const MOST_ADVERTISED = 100;

/** Each of the fingerprints in `shown`. */
export const fingerprintsIn = (shown: string): readonly string[] => shown.match(EACH) ?? [];

/** Whether a reader at this cursor was shown a post, or passed it. */
export function passedBy(feedCursor: FeedCursor): (place: PostPlace) => boolean {
  if (feedCursor.order === 'LATEST') return (place) => newestFirst(place, feedCursor.place) <= 0;
  const shown = new Set(fingerprintsIn(feedCursor.shown));
  return (place) => shown.has(fingerprintOf(place.postId));
}
