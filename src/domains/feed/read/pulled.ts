import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { CachedFeed } from '../cache/feed-cache.js';
import type { Outboxes } from '../cache/outbox.js';
import { BEGINNING, newestFirst, type PostPlace } from '../types.js';
import { cut, isAtOrAbove, isBelow, type PlaceRow, type SourcePage } from './places.js';

const sql = loadStatements(new URL('./pulled.sql', import.meta.url), ['pulledPlaces']);

/** Celebrities' posts for one request: at most so many an author, and not older (feed document, Limits). */
export const PULLED_AN_AUTHOR = 10;
export const PULLED_FOR_MS = 24 * 3_600_000;
/** Entries of the asked millisecond that may stand above the place, besides the one that tells of more. */
const SPARE = 6;

interface Deps {
  readonly postgres: Queryable;
  readonly outboxes: Outboxes;
}
type AuthorRow = PlaceRow & { readonly author: string };

/**
 * Celebrities' posts below a place, not older than `notOlder` (ms). From their outboxes where those reach so far, from
 * Postgres where not. An author who has more than ten cuts the source where his tenth stands, so that what is read next
 * goes on there.
 */
export async function pulledPlaces(
  deps: Deps,
  authorIds: readonly string[],
  from: PostPlace,
  notOlder: number,
): Promise<SourcePage> {
  if (authorIds.length === 0) return { places: [] };
  const asked = PULLED_AN_AUTHOR + 1 + SPARE;
  const held = await deps.outboxes.read(authorIds, from.at, asked).catch(() => new Map<string, null>());
  const found = new Map<string, PostPlace[]>();
  const unknown: string[] = [];
  for (const authorId of authorIds) {
    const outbox = held.get(authorId) ?? null;
    const places = outbox && fromOutbox(outbox, from, notOlder, asked);
    if (places) found.set(authorId, places);
    else unknown.push(authorId);
  }
  if (unknown.length > 0) {
    for (const row of await readPulled(deps, unknown, from, notOlder, PULLED_AN_AUTHOR + 1)) {
      const places = found.get(row.author) ?? [];
      found.set(row.author, [...places, { at: row.created_at.getTime(), postId: row.post_id }]);
    }
  }
  const pages = [...found.values()].map((places) =>
    cut(
      places.map((place) => ({ ...place, source: 'CELEBRITY' as const })),
      PULLED_AN_AUTHOR,
    ),
  );
  const [floor] = pages.flatMap((page) => page.cutAt ?? []).sort(newestFirst);
  const places = pages.flatMap((page) => page.places).sort(newestFirst);
  return floor ? { places, cutAt: floor } : { places };
}

/** What an outbox says of the time between; null where it does not reach so far. */
function fromOutbox(
  outbox: CachedFeed,
  from: PostPlace,
  notOlder: number,
  asked: number,
): PostPlace[] | null {
  const { completeFrom, places } = outbox;
  const known = places.filter(isAtOrAbove(completeFrom));
  const between = known.filter(isBelow(from)).filter((place) => place.at >= notOlder);
  const goesOn = places.length === asked && (known.at(-1)?.at ?? 0) >= notOlder;
  if (goesOn) return between.length > PULLED_AN_AUTHOR ? between : null;
  const reaches = completeFrom.at < notOlder || newestFirst(completeFrom, BEGINNING) === 0;
  return reaches || between.length > PULLED_AN_AUTHOR ? between : null;
}

async function readPulled(
  deps: { postgres: Queryable },
  authorIds: readonly string[],
  from: PostPlace,
  notOlder: number,
  limit: number,
): Promise<AuthorRow[]> {
  const { rows } = await deps.postgres.query<AuthorRow>(sql.pulledPlaces, [
    authorIds,
    new Date(from.at),
    from.postId,
    new Date(notOlder),
    limit,
  ]);
  return rows;
}
