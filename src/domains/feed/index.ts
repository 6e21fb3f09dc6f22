import type { Viewer } from '../../platform/auth.js';
import type { Caller } from '../../platform/caller.js';
import type { Clock } from '../../platform/clock.js';
import type { Result } from '../../platform/errors.js';
import type { EventLog } from '../../platform/event-log/index.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { Connection, PageRequest } from '../../platform/paging.js';
import type { Postgres } from '../../platform/postgres.js';
import type { Redis } from '../../platform/redis.js';
import type { WakeUpHub, WakeUpPublisher } from '../../platform/wake-ups.js';
import { createFeedCache, type FeedCache } from './cache/feed-cache.js';
import { findAbandonedFanOuts, runFanOuts } from './fan-out/fan-out.js';
import { followUser, unfollowUser } from './graph/follow.js';
import {
  createSignIn,
  findRelations,
  findUsers,
  pageFollows,
  type Relation,
  upsertProfile,
} from './graph/users.js';
import { type FeedUpdate, feedUpdates } from './live/live.js';
import { findVisiblePosts, pageAuthorPosts } from './posts/posts.js';
import { type PublishPostInput, publishPost } from './posts/publish.js';
import { readFeed } from './read/read-feed.js';
import type { Post, User } from './types.js';

export { beginFanOuts } from './fan-out/fan-out.js';
export { FAN_OUT_QUEUE, fanOutTask, ringFanOuts } from './fan-out/fan-out-task.js';
export type { Relation } from './graph/users.js';
export type { FeedUpdate } from './live/live.js';
export type { Post, User, Visibility } from './types.js';
export { VISIBILITIES } from './types.js';

/** The news feed: posts, follows, fan-out and reading. Each operation's promise stands at its own function. */
export interface Feed {
  readonly cache: FeedCache;
  signIn(userId: string): Promise<void> | undefined;
  upsertProfile(
    caller: Caller,
    input: { displayName: string; avatarUrl?: string | null },
  ): Promise<Result<User>>;
  publishPost(caller: Caller, input: PublishPostInput): Promise<Result<Post>>;
  followUser(caller: Caller, userId: string): Promise<Result<User>>;
  unfollowUser(caller: Caller, userId: string): Promise<Result<User>>;
  findUsers(userIds: readonly string[]): Promise<User[]>;
  findRelations(userId: string, others: readonly string[]): Promise<Map<string, Relation>>;
  findVisiblePosts(viewer: Viewer | null, postIds: readonly string[]): Promise<Map<string, Post>>;
  pageAuthorPosts(
    viewer: Viewer | null,
    authorIds: readonly string[],
    page: PageRequest,
  ): Promise<Connection<Post>[]>;
  pageFollows(
    side: 'followers' | 'following',
    userIds: readonly string[],
    page: PageRequest,
  ): Promise<Connection<User>[]>;
  readFeed(viewer: Viewer, page: PageRequest): Promise<Connection<Post>>;
  feedUpdates(
    hub: WakeUpHub,
    viewer: Viewer,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<FeedUpdate, void>;
  runFanOuts(authorId: string, logger: Logger): Promise<{ more: boolean }>;
  findAbandonedFanOuts(): Promise<string[]>;
}

export function createFeed(own: {
  postgres: Postgres;
  redis: Redis;
  log: EventLog;
  wakeUps: WakeUpPublisher;
  clock: Clock;
  ids: Ids;
}): Feed {
  const deps = { ...own, cache: createFeedCache(own) };
  return {
    cache: deps.cache,
    signIn: createSignIn(deps),
    upsertProfile: (caller, input) => upsertProfile(deps, caller, input),
    publishPost: (caller, input) => publishPost(deps, caller, input),
    followUser: (caller, userId) => followUser(deps, caller, userId),
    unfollowUser: (caller, userId) => unfollowUser(deps, caller, userId),
    findUsers: (userIds) => findUsers(deps, userIds),
    findRelations: (userId, others) => findRelations(deps, userId, others),
    findVisiblePosts: (viewer, postIds) => findVisiblePosts(deps, viewer, postIds),
    pageAuthorPosts: (viewer, authorIds, page) => pageAuthorPosts(deps, viewer, authorIds, page),
    pageFollows: (side, userIds, page) => pageFollows(deps, side, userIds, page),
    readFeed: (viewer, page) => readFeed(deps, viewer, page),
    feedUpdates: (hub, viewer, after, signal) => feedUpdates({ ...deps, hub }, viewer, after, signal),
    runFanOuts: (authorId, logger) => runFanOuts(deps, authorId, logger),
    findAbandonedFanOuts: () => findAbandonedFanOuts(deps),
  };
}
