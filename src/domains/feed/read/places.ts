import type { FeedSource } from '../ranking/rank.js';
import { newestFirst, type PostPlace } from '../types.js';

/** Candidates for one window, and read from the cache for one request (feed document, Limits). */
export const CANDIDATES = 100;

/** Where a post stands, and what brought it there. */
export interface SourcedPlace extends PostPlace {
  readonly source: FeedSource;
}

/** Places of one source below the asked one, newest first. */
export interface SourcePage {
  readonly places: readonly SourcedPlace[];
  /** Down to here the source is told whole; below it may have more. Absent: there is nothing below. */
  readonly cutAt?: PostPlace;
}

export interface PlaceRow {
  readonly post_id: string;
  readonly created_at: Date;
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

/**
 * Merges sources down to the **merge floor**: where one of them was cut short, what the others have below that is left
 * for later, lest something of the cut one be passed over.
 */
export function merge(sources: readonly SourcePage[], limit: number): SourcePage {
  const [floor] = sources.flatMap((source) => source.cutAt ?? []).sort(newestFirst);
  const places = inTimeOrder(sources.map((source) => source.places).filter((found) => found.length > 0));
  const told = floor ? places.filter(isAtOrAbove(floor)) : places;
  if (told.length > limit) return cut(told, limit);
  return floor ? { places: told, cutAt: floor } : { places: told };
}

/** All of them, once each; what one source tells is in order already. */
function inTimeOrder(sources: readonly (readonly SourcedPlace[])[]): readonly SourcedPlace[] {
  if (sources.length <= 1) return sources[0] ?? [];
  const byId = new Map(sources.flatMap((places) => places.map((place) => [place.postId, place])));
  return [...byId.values()].sort(newestFirst);
}
