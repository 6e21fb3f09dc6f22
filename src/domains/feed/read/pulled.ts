import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { WarmPlaces } from '../cache/warm-sets.js';
import { BEGINNING, newestFirst, type PostPlace, placeOfRow } from '../types.js';
import { cut, isAtOrAbove, isBelow, type SourcePage } from './places.js';
import { sql } from './pulled.sql.js';

/** Celebrities' posts for one request: at most so many an author (feed document, Limits). */
export const PULLED_AN_AUTHOR = 10;
/** Entries of the asked millisecond that may be above the place, besides the one that shows that there are more. */
const SPARE = 6;

interface Deps {
  readonly postgres: Queryable;
  readonly authorTimelines: AuthorTimelines;
}

/**
 * Celebrities' posts below a place, a page an author. From their author timelines where those reach so far, from
 * Postgres where not. The page of an author who has more than ten is cut at the tenth, so that the next read goes on there.
 */
export async function pulledPlaces(
  deps: Deps,
  authorIds: readonly string[],
  from: PostPlace,
): Promise<readonly SourcePage[]> {
  if (authorIds.length === 0) return [];
  const asked = PULLED_AN_AUTHOR + 1 + SPARE;
  const timelines = await deps.authorTimelines
    .read(authorIds, from.at, asked)
    .catch(() => new Map<string, null>());
  const found = new Map<string, PostPlace[]>();
  const unknown: string[] = [];
  for (const authorId of authorIds) {
    const timeline = timelines.get(authorId) ?? null;
    const places = timeline && fromTimeline(timeline, from, asked);
    if (places) found.set(authorId, places);
    else unknown.push(authorId);
  }
  if (unknown.length > 0) {
    const { rows } = await deps.postgres.query(sql.pulledPlaces, [
      unknown,
      new Date(from.at),
      from.postId,
      PULLED_AN_AUTHOR + 1,
    ]);
    for (const row of rows) found.set(row.author, [...(found.get(row.author) ?? []), placeOfRow(row)]);
  }
  return [...found.values()].map((places) =>
    cut(
      places.map((place) => ({ ...place, source: 'CELEBRITY' as const })),
      PULLED_AN_AUTHOR,
    ),
  );
}

/** What an author timeline has below the place; null where it does not reach so far. */
function fromTimeline(
  { completeFrom, places }: WarmPlaces,
  from: PostPlace,
  asked: number,
): PostPlace[] | null {
  const below = places.filter(isAtOrAbove(completeFrom)).filter(isBelow(from));
  const isWhole = places.length < asked && newestFirst(completeFrom, BEGINNING) === 0;
  return isWhole || below.length > PULLED_AN_AUTHOR ? below : null;
}
