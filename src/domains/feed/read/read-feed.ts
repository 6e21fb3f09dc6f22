import type { Viewer } from '../../../platform/auth.js';
import type { Clock } from '../../../platform/clock.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { findRelations } from '../graph/users.js';
import { decodePlace, encodePlace, findPosts, maySee } from '../posts/posts.js';
import { NOW_AND_LATER, newestFirst, type Post, type PostPlace } from '../types.js';
import { ownPlaces, pulledPlaces, pushedPlaces } from './sources.js';

/** How often a page goes on reading where rules left it short. */
const MAX_REFILLS = 10;

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly clock: Clock;
}

/**
 * The reader's home feed by time, newest first: his own posts and those of whom he follows now. Filtering never makes
 * a page short while more exists, and the cursor follows what was looked at, so that nothing is seen twice or missed.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function readFeed(deps: Deps, viewer: Viewer, page: PageRequest): Promise<Connection<Post>> {
  let from = decodePlace(page.cursor) ?? NOW_AND_LATER;
  const shown: Post[] = [];
  let more = true;
  for (let reads = 0; more && shown.length <= page.limit && reads < MAX_REFILLS; reads += 1) {
    const candidates = await skeleton(deps, viewer.userId, from);
    const posts = await hydrate(deps, candidates.places);
    shown.push(...(await applyRules(deps, viewer, posts)));
    more = candidates.cutAt !== undefined;
    from = candidates.cutAt ?? from;
  }
  return present(page, shown, more, from);
}

/** Which posts come next, by place: what lies above the floor of every source that was cut short. */
async function skeleton(
  deps: Deps,
  userId: string,
  from: PostPlace,
): Promise<{ places: PostPlace[]; cutAt?: PostPlace }> {
  const sources = await Promise.all([
    pushedPlaces(deps, userId, from),
    pulledPlaces(deps, userId, from, deps.clock.now()),
    ownPlaces(deps, userId, from),
  ]);
  const [floor] = sources.flatMap((source) => source.cutAt ?? []).sort(newestFirst);
  const merged = new Map(sources.flatMap((source) => source.places).map((place) => [place.postId, place]));
  const places = [...merged.values()].sort(newestFirst);
  return floor
    ? { places: places.filter((place) => newestFirst(place, floor) <= 0), cutAt: floor }
    : { places };
}

/** The posts themselves, in the same order; what is gone is absent. */
async function hydrate(deps: Deps, places: readonly PostPlace[]): Promise<Post[]> {
  const posts = await findPosts(
    deps,
    places.map((place) => place.postId),
  );
  return places.flatMap((place) => posts.get(place.postId) ?? []);
}

/** The cache is a hint: who is followed, and what may be seen, is decided now. */
async function applyRules(deps: Deps, viewer: Viewer, posts: readonly Post[]): Promise<Post[]> {
  const authors = [...new Set(posts.map((post) => post.author.userId))];
  const relations = await findRelations(deps, viewer.userId, authors);
  return posts.filter((post) => {
    const follows = relations.get(post.author.userId)?.viewerFollows ?? false;
    return (follows || post.author.userId === viewer.userId) && maySee(post, viewer, follows);
  });
}

/** The page; where rules took everything that was read, the cursor still moves on. */
function present(
  page: PageRequest,
  posts: readonly Post[],
  more: boolean,
  scannedTo: PostPlace,
): Connection<Post> {
  const edges = posts.slice(0, page.limit).map((node) => ({ cursor: encodePlace(placeOf(node)), node }));
  const last = edges.at(-1)?.cursor ?? (more ? encodePlace(scannedTo) : null);
  return {
    edges,
    pageInfo: {
      hasNextPage: more || posts.length > page.limit,
      hasPreviousPage: page.cursor !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: posts.length <= page.limit && more ? encodePlace(scannedTo) : last,
    },
  };
}

const placeOf = (post: Post): PostPlace => ({ at: post.createdAt.getTime(), postId: post.postId });
