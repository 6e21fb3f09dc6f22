import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { FEED_ENTRIES } from '../cache/feed-cache.js';
import { BEGINNING, NOW_AND_LATER, newestFirst, type PostPlace } from '../types.js';

/** Candidates read from the cache for one request (feed document, Limits). */
export const CANDIDATES = 100;
const PULLED_AN_AUTHOR = 10;
const PULLED_FOR_MS = 24 * 3_600_000;
const sql = loadStatements(new URL('./sources.sql', import.meta.url), [
  'pushedPlaces',
  'pulledPlaces',
  'ownPlaces',
]);

/** Places of one source below the asked one, newest first. */
export interface SourcePage {
  readonly places: readonly PostPlace[];
  /**
   * Where the source was cut short: below this place it may have more. Absent: there is nothing below.
   */
  readonly cutAt?: PostPlace;
}

interface PlaceRow {
  readonly post_id: string;
  readonly created_at: Date;
}

const toPlace = (row: PlaceRow): PostPlace => ({ at: row.created_at.getTime(), postId: row.post_id });
const below = (place: PostPlace) => (candidate: PostPlace) => newestFirst(place, candidate) < 0;

/** Cuts a source that was asked for one more than it may give. */
function cut(places: readonly PostPlace[], limit: number): SourcePage {
  const kept = places.slice(0, limit);
  return places.length > limit ? { places: kept, cutAt: kept.at(-1)! } : { places: kept };
}

/** Posts that fan-out wrote: from the cache while it is whole, from Postgres below its floor and where it is cold. */
export async function pushedPlaces(
  deps: { postgres: Queryable; cache: FeedCache },
  userId: string,
  from: PostPlace,
): Promise<SourcePage> {
  // A cache that cannot be asked is a cold one: the read degrades to Postgres (feed document, Errors).
  const cached = await deps.cache.read(userId, from.at, CANDIDATES).catch(() => null);
  if (cached === null) {
    // The next page comes warm. This one waits for nothing, and does not fail with the cache.
    void warm(deps, userId).catch(() => undefined);
    return pushedFromPostgres(deps, userId, from);
  }
  const whole = cached.places.filter((place) => newestFirst(place, cached.completeFrom) <= 0);
  const places = whole.filter(below(from));
  if (cached.places.length === CANDIDATES && whole.length === CANDIDATES) {
    const tail = whole.at(-1)!;
    // Siblings of one millisecond may fill the whole answer: only Postgres can page inside it.
    return places.length > 0 ? { places, cutAt: tail } : pushedFromPostgres(deps, userId, from);
  }
  if (newestFirst(cached.completeFrom, BEGINNING) === 0) return { places };
  const older = await pushedFromPostgres(
    deps,
    userId,
    newestFirst(from, cached.completeFrom) > 0 ? from : cached.completeFrom,
  );
  return { ...older, places: [...places, ...older.places] };
}

async function pushedFromPostgres(
  deps: { postgres: Queryable },
  userId: string,
  from: PostPlace,
  limit = CANDIDATES,
): Promise<SourcePage> {
  const { rows } = await deps.postgres.query<PlaceRow>(sql.pushedPlaces, [
    userId,
    new Date(from.at),
    from.postId,
    limit + 1,
  ]);
  return cut(rows.map(toPlace), limit);
}

async function warm(deps: { postgres: Queryable; cache: FeedCache }, userId: string): Promise<void> {
  await deps.cache.build(userId, async () => {
    const { places, cutAt } = await pushedFromPostgres(deps, userId, NOW_AND_LATER, FEED_ENTRIES);
    return { places, completeFrom: cutAt ?? BEGINNING };
  });
}

/**
 * Celebrities' posts: at most 10 an author, not older than 24 hours counted back from the place. An author who has more
 * cuts the source where his tenth stands, so that the next request goes on there.
 */
export async function pulledPlaces(
  deps: { postgres: Queryable },
  userId: string,
  from: PostPlace,
  now: number,
): Promise<SourcePage> {
  const notOlder = new Date(Math.min(from.at, now) - PULLED_FOR_MS);
  const { rows } = await deps.postgres.query<PlaceRow & { author: number }>(sql.pulledPlaces, [
    userId,
    new Date(from.at),
    from.postId,
    notOlder,
    PULLED_AN_AUTHOR + 1,
  ]);
  const byAuthor = Map.groupBy(rows, (row) => row.author);
  const pages = [...byAuthor.values()].map((own) => cut(own.map(toPlace), PULLED_AN_AUTHOR));
  const cuts = pages.flatMap((page) => page.cutAt ?? []).sort(newestFirst);
  const places = pages.flatMap((page) => page.places).sort(newestFirst);
  return cuts[0] ? { places, cutAt: cuts[0] } : { places };
}

/** The reader's own posts. */
export async function ownPlaces(
  deps: { postgres: Queryable },
  userId: string,
  from: PostPlace,
): Promise<SourcePage> {
  const { rows } = await deps.postgres.query<PlaceRow>(sql.ownPlaces, [
    userId,
    new Date(from.at),
    from.postId,
    CANDIDATES + 1,
  ]);
  return cut(rows.map(toPlace), CANDIDATES);
}
