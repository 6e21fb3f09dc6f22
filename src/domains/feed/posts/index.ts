import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import { createLookBack } from '../../../platform/look-back.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { FeedConfig } from '../config.js';
import type { Counts } from '../engagement/counts.js';
import type { RelationCache } from '../graph/relations.js';
import type { ContentPolicy } from './content-policy.js';
import { deletePost } from './delete.js';
import { editPost, findEdits, findEditTexts } from './edit.js';
import { announcePulledAuthors } from './new-post.js';
import type { PostStore } from './post-store.js';
import { findVisiblePosts, pageAuthorPosts } from './posts.js';
import { publishPost } from './publish.js';
import { purgePosts } from './purge.js';
import { sharePost } from './share.js';
import type { SpamCheck } from './spam-check.js';

export { type AuthorStore, createAuthorStore } from './author-store.js';
export { type ContentPolicy, createContentPolicy } from './content-policy.js';
export type { PostEdit } from './edit.js';
export { createPostStore, type PostStore } from './post-store.js';
export { createSpamCheck, type Draft, type SpamCheck } from './spam-check.js';

export function createPosts(deps: {
  postgres: Queryable;
  log: EventLog;
  ids: Ids;
  clock: Clock;
  posts: PostStore;
  cache: FeedCache;
  authorTimelines: AuthorTimelines;
  relations: RelationCache;
  counts: Counts;
  spamCheck: SpamCheck;
  contentPolicy: ContentPolicy;
  config: Pick<FeedConfig, 'linkPreviews'>;
  queues: Pick<Queues, 'enqueueMany'>;
}) {
  const lookBack = createLookBack(() => deps.clock.now());
  return {
    ...bind(deps, {
      publishPost,
      sharePost,
      editPost,
      deletePost,
      findVisiblePosts,
      findEdits,
      findEditTexts,
      pageAuthorPosts,
      announcePulledAuthors,
    }),
    refreshPosts: deps.posts.refresh,
    purgePosts: (removeMedia: (mediaIds: readonly string[]) => Promise<unknown>) =>
      purgePosts({ ...deps, lookBack, removeMedia }),
  };
}
