import type { Viewer } from '../../../platform/auth.js';
import type { Caller } from '../../../platform/caller.js';
import type { Clock } from '../../../platform/clock.js';
import type { Result } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { FeedConfig } from '../../../platform/feed-config.js';
import type { Ids } from '../../../platform/ids.js';
import { createLookBack } from '../../../platform/look-back.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { Outboxes } from '../cache/outbox.js';
import type { Counts } from '../engagement/counts.js';
import type { RelationCache } from '../graph/relations.js';
import type { Post } from '../types.js';
import type { ContentPolicy } from './content-policy.js';
import { deletePost } from './delete.js';
import {
  type EditPlace,
  type EditPostInput,
  editPost,
  findEdits,
  findEditTexts,
  type PostEdit,
} from './edit.js';
import { announcePulledAuthors } from './new-post.js';
import type { PostStore } from './post-store.js';
import { findVisiblePosts, pageAuthorPosts } from './posts.js';
import { type PublishPostInput, publishPost } from './publish.js';
import { purgePosts } from './purge.js';
import { type SharePostInput, sharePost } from './share.js';
import type { SpamCheck } from './spam-check.js';

export { type AuthorStore, createAuthorStore } from './author-store.js';
export { type ContentPolicy, createContentPolicy } from './content-policy.js';
export type { EditPostInput, PostEdit } from './edit.js';
export { createPostStore, type PostStore } from './post-store.js';
export type { PublishPostInput } from './publish.js';
export type { SharePostInput } from './share.js';
export { createSpamCheck, type Draft, type SpamCheck } from './spam-check.js';

/** Posts: what people write. Each operation's promise stands at its own function. */
export interface Posts {
  publishPost(caller: Caller, input: PublishPostInput): Promise<Result<Post>>;
  sharePost(caller: Caller, input: SharePostInput): Promise<Result<Post>>;
  editPost(caller: Caller, input: EditPostInput): Promise<Result<Post>>;
  deletePost(caller: Caller, postId: string): Promise<Result<string>>;
  findVisiblePosts(viewer: Viewer | null, postIds: readonly string[]): Promise<Map<string, Post>>;
  findEdits(postIds: readonly string[]): Promise<Map<string, PostEdit[]>>;
  findEditTexts(edits: readonly EditPlace[]): Promise<string[]>;
  pageAuthorPosts(
    viewer: Viewer | null,
    authorIds: readonly string[],
    page: PageRequest,
  ): Promise<Connection<Post>[]>;
  /** See `PostStore.refresh`. */
  refreshPosts(postIds: readonly string[]): Promise<void>;
  announcePulledAuthors(postIds: readonly string[]): Promise<void>;
  purgePosts(removeMedia: (mediaIds: readonly string[]) => Promise<unknown>): Promise<number>;
}

export function createPosts(deps: {
  postgres: Queryable;
  log: EventLog;
  ids: Ids;
  clock: Clock;
  posts: PostStore;
  cache: FeedCache;
  outboxes: Outboxes;
  relations: RelationCache;
  counts: Counts;
  spamCheck: SpamCheck;
  contentPolicy: ContentPolicy;
  config: Pick<FeedConfig, 'linkPreviews'>;
  queues: Pick<Queues, 'enqueueMany'>;
}): Posts {
  const lookBack = createLookBack(() => deps.clock.now());
  return {
    publishPost: (caller, input) => publishPost(deps, caller, input),
    sharePost: (caller, input) => sharePost(deps, caller, input),
    editPost: (caller, input) => editPost(deps, caller, input),
    deletePost: (caller, postId) => deletePost(deps, caller, postId),
    findVisiblePosts: (viewer, postIds) => findVisiblePosts(deps, viewer, postIds),
    findEdits: (postIds) => findEdits(deps, postIds),
    findEditTexts: (edits) => findEditTexts(deps, edits),
    pageAuthorPosts: (viewer, authorIds, page) => pageAuthorPosts(deps, viewer, authorIds, page),
    refreshPosts: (postIds) => deps.posts.refresh(postIds),
    announcePulledAuthors: (postIds) => announcePulledAuthors(deps, postIds),
    purgePosts: (removeMedia) => purgePosts({ ...deps, lookBack, removeMedia }),
  };
}
