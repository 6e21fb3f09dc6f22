import type { FeedSource } from '../ranking/rank.js';
import { newestFirst, type PlaceRow, type PostPlace } from '../types.js';

/** Candidates for one window, and read from the cache for one request (feed document, Limits). */
export const CANDIDATES = 100;

/** A post's place in time order, and what brought it into the feed. */
export interface SourcedPlace extends PostPlace {
  readonly source: FeedSource;
}

/** Places of one source below the asked one, newest first. */
export interface SourcePage {
  readonly places: readonly SourcedPlace[];
  /** Down to here the source was read completely; below it may have more. Absent: there is nothing below. */
  readonly cutAt?: PostPlace;
}

export const toPlace =
  (source: FeedSource) =>
  (row: PlaceRow): SourcedPlace => ({ at: row.created_at.getTime(), postId: row.post_id, source });

export const isBelow =
  (place: PostPlace) =>
  (candidate: PostPlace): boolean =>
    newestFirst(place, candidate) < 0;

export const isAtOrAbove =
  (place: PostPlace) =>
  (candidate: PostPlace): boolean =>
    newestFirst(candidate, place) <= 0;

/** Cuts a source that was asked for more than it may give. */
export function cut(places: readonly SourcedPlace[], limit: number): SourcePage {
  const kept = places.slice(0, limit);
  return places.length > limit ? { places: kept, cutAt: kept.at(-1)! } : { places: kept };
}
