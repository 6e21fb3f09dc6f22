import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { ReadableFeeds } from '../cache/feed-cache.js';
import { KEPT, type WarmPlaces } from '../cache/warm-sets.js';
import { BEGINNING, NOW_AND_LATER, newestFirst, type PostPlace } from '../types.js';
import {
  CANDIDATES,
  cut,
  isAtOrAbove,
  isBelow,
  type SourcedPlace,
  type SourcePage,
  toPlace,
} from './places.js';
import { sql } from './pushed.sql.js';

interface Deps {
  readonly postgres: Queryable;
  readonly cache: ReadableFeeds;
}

/**
 * The posts of the reader's own feed: those that fan-out wrote, and their own. From the cache while it is whole, from
 * Postgres below its floor and where it is cold. Postgres leaves out users whom they muted, and who are blocked either way;
 * the cache, which has ids alone, leaves them to the rules: they are 500 at most.
 */
export async function pushedPlaces(deps: Deps, userId: string, from: PostPlace): Promise<SourcePage> {
  const asked = CANDIDATES + 1;
  // A cache that cannot be read is a cold one: the read degrades to Postgres (feed document, Errors).
  const cached = await deps.cache.read(userId, from.at, asked).catch(() => null);
  if (cached === null) {
    // For the next page. This one does not wait for it, and does not fail with the cache.
    void warm(deps, userId).catch(() => undefined);
    return pushedFromPostgres(deps, userId, from, CANDIDATES, 'shown');
  }
  return fromCache(cached, from, asked) ?? pushedFromPostgres(deps, userId, from, CANDIDATES, 'shown');
}

/** What the cache has below the place; null where only Postgres has it. */
function fromCache(cached: WarmPlaces, from: PostPlace, asked: number): SourcePage | null {
  const [isKnown, isAsked] = [isAtOrAbove(cached.completeFrom), isBelow(from)];
  const places: SourcedPlace[] = [];
  for (const place of cached.places) {
    const { at, postId } = place;
    if (isKnown(place) && isAsked(place)) places.push({ at, postId, source: 'FANOUT' });
  }
  const isWhole = newestFirst(cached.completeFrom, BEGINNING) === 0;
  if (cached.places.length < asked && isWhole) return { places };
  // Siblings of one millisecond may fill the whole answer, and the cache may end: Postgres goes on.
  if (places.length === 0) return null;
  const tail = places.at(-1)!;
  return { places, cutAt: cached.places.length < asked ? cached.completeFrom : tail };
}

/** @param whose posts: of all users whom the reader follows, or only of those who are neither muted nor blocked */
async function pushedFromPostgres(
  deps: { postgres: Queryable },
  userId: string,
  from: PostPlace,
  limit: number,
  whose: 'all' | 'shown',
): Promise<SourcePage> {
  const { rows } = await deps.postgres.query(sql.pushedPlaces, [
    userId,
    new Date(from.at),
    from.postId,
    limit + 1,
    whose === 'shown',
  ]);
  return cut(rows.map(toPlace('DATABASE')), limit);
}

/**
 * Builds the reader's cold feed: what a cold read costs besides its page. It has the posts of muted users too, as fan-out
 * pushes them: so a mute or a block that ends leaves no gap in it.
 */
export async function warm(deps: Deps, userId: string): Promise<void> {
  await deps.cache.build(userId, async () => {
    const { places, cutAt } = await pushedFromPostgres(deps, userId, NOW_AND_LATER, KEPT, 'all');
    return { places, completeFrom: cutAt ?? BEGINNING };
  });
}
