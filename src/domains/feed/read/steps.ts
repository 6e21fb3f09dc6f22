import type { Viewer } from '../../../platform/auth/auth.js';
import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { ReadableFeeds } from '../cache/feed-cache.js';
import type { RelationCache, Relations } from '../graph/relations.js';
import type { PostStore } from '../posts/post-store.js';
import type { Ranking } from '../ranking/index.js';
import { type Candidate, type Ranked, type RankingContext, rankByTime } from '../ranking/rank.js';
import type { FeedCursors } from './cursors.js';
import type { FeedOrder } from './feed-page.js';
import type { SourcedPlace } from './places.js';
import { mayStay, type Subject, type View } from './rules.js';
import type { Sponsored } from './sponsored.js';

export interface ReadDeps {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly cache: ReadableFeeds;
  readonly authorTimelines: AuthorTimelines;
  readonly relations: RelationCache;
  readonly posts: PostStore;
  readonly ranking: Ranking;
  readonly sponsored: Sponsored;
  readonly cursors: FeedCursors;
  /** A cursor of `feedUpdates` for what is published from now on. */
  readonly startOfUpdates: (viewerId: string) => Promise<string>;
  /** Labels of content policy that hide a post. */
  readonly hiddenLabels: ReadonlySet<string>;
}

/** Whose feed is read. */
export type Reader = Pick<Viewer, 'userId'>;

/** What all steps of one read need, requested at once. */
export interface Reading {
  readonly viewerId: string;
  readonly now: number;
  readonly relations: Promise<Relations>;
  readonly ranking: Promise<RankingContext>;
  readonly sponsored: Promise<readonly string[]>;
  readonly order: FeedOrder;
  /** Whether posts are in time order, as asked for or because the request is degraded. */
  readonly byTime: boolean;
}

export function beginReading(deps: ReadDeps, viewer: Reader, order: FeedOrder, degraded: boolean): Reading {
  const { userId: viewerId } = viewer;
  const now = deps.clock.now();
  const relations = deps.relations.of(viewerId);
  // Steps that await it get the error; where an earlier step fails, it must not be an unhandled rejection.
  relations.catch(() => undefined);
  return {
    viewerId,
    now,
    relations,
    ranking: deps.ranking.of(viewerId, now),
    sponsored: deps.sponsored.active(),
    order,
    byTime: order === 'LATEST' || degraded,
  };
}

/**
 * The posts themselves, in their order, with those that they share, which are read separately where they are not among
 * them; undefined for what is gone.
 *
 * @param postIds all different
 */
export async function hydrate(
  deps: { posts: PostStore },
  postIds: readonly string[],
): Promise<(Subject | undefined)[]> {
  const posts = await deps.posts.find(postIds);
  const sharedIds = new Set(posts.flatMap((post) => post?.sharedPostId ?? []));
  if (sharedIds.size === 0) return posts.map((post) => post && { post, original: null });
  const byId = new Map(posts.map((post) => [post?.postId, post]));
  const missing = [...sharedIds].filter((postId) => !byId.has(postId));
  const originals = missing.length === 0 ? [] : await deps.posts.find(missing);
  for (const original of originals) byId.set(original?.postId, original);
  return posts.map(
    (post) => post && { post, original: (post.sharedPostId && byId.get(post.sharedPostId)) || null },
  );
}

export const viewOf = async (deps: ReadDeps, reading: Reading): Promise<View> => ({
  relations: await reading.relations,
  hiddenLabels: deps.hiddenLabels,
});

/**
 * Feeds and author timelines are hints: what may be seen is decided now.
 *
 * @param subjects the posts at `places`, in their order
 */
export function applyRules(
  places: readonly SourcedPlace[],
  subjects: readonly (Subject | undefined)[],
  view: View,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (let i = 0; i < places.length; i += 1) {
    const subject = subjects[i];
    if (!subject || !mayStay(subject, view)) continue;
    const isOwn = subject.post.author.userId === view.relations.viewerId;
    candidates.push({ post: subject.post, source: isOwn ? 'OWN' : places[i]!.source });
  }
  return candidates;
}

/** Best first: by score, or by time where that is asked for. */
export async function inOrder(
  deps: ReadDeps,
  reading: Reading,
  candidates: readonly Candidate[],
  now: number,
): Promise<readonly Ranked[]> {
  const context = { ...(await reading.ranking), now };
  if (!reading.byTime) return deps.ranking.rank(candidates, context).ranked;
  return rankByTime(candidates, context);
}
