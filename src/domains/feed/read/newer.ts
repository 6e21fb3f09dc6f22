import type { PageRequest } from '../../../platform/paging.js';
import type { Ranked } from '../ranking/rank.js';
import { BEGINNING, newestFirst, type PostPlace, placeOf } from '../types.js';
import { cursorAt } from './feed-cursor.js';
import type { FeedPage } from './feed-page.js';
import { counting, mayReadOn } from './gather.js';
import { repeatedAmong } from './near-duplicates.js';
import { sql } from './newer.sql.js';
import { CANDIDATES, isAtOrAbove, type SourcePage, toPlace } from './places.js';
import { PULLED_AN_AUTHOR } from './pulled.js';
import { applyRules, hydrate, inOrder, type ReadDeps, type Reading, viewOf } from './steps.js';
import { eligibleUpwards } from './within-a-day.js';

/**
 * The other way through LATEST: what is newer than a place, nearest first, shown newest first as any page. From Postgres
 * alone: the cache is read downwards. It has no sponsored posts. It ends before a celebrity's eleventh post.
 */
export async function readNewer(
  deps: ReadDeps,
  reading: Reading,
  page: PageRequest,
  start: PostPlace,
): Promise<FeedPage> {
  const taken: Ranked[] = [];
  let at: PostPlace | undefined = page.cursor === null ? BEGINNING : start;
  const isSpent = counting(PULLED_AN_AUTHOR);
  const eligible = eligibleUpwards<Ranked>(reading.now);
  const readsOn = mayReadOn(deps.clock, reading.now);
  for (let reads = 0; at && taken.length <= page.limit && readsOn(reads); reads += 1) {
    const { places, cutAt }: SourcePage = await newerPlaces(deps, reading.viewerId, at);
    const subjects = await hydrate(
      deps,
      places.map((place) => place.postId),
    );
    const candidates = applyRules(places, subjects, await viewOf(deps, reading));
    const ranked = await inOrder(deps, reading, candidates, reading.now);
    const repeated = repeatedAmong(ranked);
    const upwards = ranked.toReversed().flatMap((one) => eligible.next(one));
    // Where reading ends here, what is not decided yet is shown rather than lost.
    const isLast = !cutAt || !readsOn(reads + 1);
    const nearest = [...upwards, ...(isLast && cutAt ? eligible.rest() : [])].filter(
      (one) => !repeated.has(one),
    );
    const end = nearest.findIndex(
      ({ source, post }) => source === 'CELEBRITY' && isSpent(post.author.userId),
    );
    taken.push(...(end < 0 ? nearest : nearest.slice(0, end)));
    at = end < 0 ? cutAt : placeOf(taken.at(-1)!.post);
    if (end >= 0) break;
  }
  const write = (place: PostPlace): string => deps.cursors.write(reading.viewerId, cursorAt('LATEST', place));
  const isFull = taken.length > page.limit;
  const edges = taken
    .slice(0, page.limit)
    .toReversed()
    .map(({ post, source, score, terms }) => ({
      cursor: write(placeOf(post)),
      node: post,
      isSponsored: false,
      why: { source, score, terms },
    }));
  return {
    edges,
    pageInfo: {
      hasNextPage: page.cursor !== null,
      hasPreviousPage: isFull || at !== undefined,
      startCursor: !isFull && at ? write(at) : (edges[0]?.cursor ?? null),
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Up to where every source was read completely, as `merge` does it downwards. */
async function newerPlaces(deps: ReadDeps, viewerId: string, from: PostPlace): Promise<SourcePage> {
  const { rows } = await deps.postgres.query(sql.newerPlaces, [
    viewerId,
    new Date(from.at),
    from.postId,
    CANDIDATES + 1,
    PULLED_AN_AUTHOR + 1,
  ]);
  const places = rows.map((row) => toPlace(row.pulled ? 'CELEBRITY' : 'DATABASE')(row));
  const byAuthor = Map.groupBy(rows.keys(), (index) =>
    rows[index]!.pulled ? rows[index]!.author : 'pushed',
  );
  const cuts = [...byAuthor].flatMap(([author, indexes]) => {
    const limit = author === 'pushed' ? CANDIDATES : PULLED_AN_AUTHOR;
    return indexes.length > limit ? places[indexes[limit - 1]!]! : [];
  });
  if (places.length > CANDIDATES) cuts.push(places[CANDIDATES - 1]!);
  const ceiling = cuts.sort(newestFirst).at(-1);
  if (!ceiling) return { places };
  const above = isAtOrAbove(ceiling);
  return {
    places: places.filter((place) => !above(place) || place.postId === ceiling.postId),
    cutAt: ceiling,
  };
}
