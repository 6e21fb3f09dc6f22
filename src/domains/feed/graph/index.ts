import type { Viewer } from '../../../platform/auth.js';
import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { FeedConfig } from '../../../platform/feed-config.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { CountedConnection } from '../../../platform/totals.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { User } from '../types.js';
import { blockUser, unblockUser } from './block.js';
import { settleCelebrities } from './celebrities.js';
import { setCloseFriend } from './close-friends.js';
import { followUser, forgetFollows, unfollowUser } from './follow.js';
import { pageFollows } from './follow-pages.js';
import { muteUser, unmuteUser } from './mute.js';
import { findMutedKeywords, setMutedKeywords } from './muted-keywords.js';
import { type OwnList, pageOwnList } from './own-lists.js';
import type { RelationCache } from './relations.js';
import { searchUsers } from './search.js';
import {
  createSignIn,
  findRelations,
  findUsers,
  type Relation,
  type Summaries,
  upsertProfile,
} from './users.js';
import { setVerified } from './verified.js';

export { type Relation, STRANGERS } from './users.js';

type ChangeOfEdge = (caller: Caller, userId: string) => Promise<Result<User>>;

/** People, and how they stand to each other. Each operation's promise stands at its own function. */
export interface Graph {
  signIn(userId: string): Promise<void> | undefined;
  upsertProfile(
    caller: Caller,
    input: { displayName: string; avatarUrl?: string | null },
  ): Promise<Result<User>>;
  readonly followUser: ChangeOfEdge;
  readonly unfollowUser: ChangeOfEdge;
  readonly muteUser: ChangeOfEdge;
  readonly unmuteUser: ChangeOfEdge;
  readonly blockUser: ChangeOfEdge;
  readonly unblockUser: ChangeOfEdge;
  setCloseFriend(caller: Caller, input: { userId: string; isCloseFriend: boolean }): Promise<Result<User>>;
  /** For admins. */
  setVerified(input: { userId: string; verified: boolean }): Promise<Result<User>>;
  setMutedKeywords(caller: Caller, keywords: readonly string[]): Promise<Result<readonly string[]>>;
  findMutedKeywords(userId: string): Promise<readonly string[]>;
  findUsers(userIds: readonly string[]): Promise<User[]>;
  findRelations(userId: string, others: readonly string[]): Promise<Map<string, Relation>>;
  pageFollows(
    side: 'followers' | 'following',
    viewer: Viewer | null,
    userIds: readonly string[],
    page: PageRequest,
  ): Promise<Connection<User>[]>;
  pageOwnList(list: OwnList, viewer: Viewer, page: PageRequest): Promise<CountedConnection<User>>;
  searchUsers(viewer: Viewer, text: string, page: PageRequest): Promise<CountedConnection<User>>;
  /** Makes these readers' feeds and relations be made anew. */
  forgetFollows(followerIds: readonly string[]): Promise<void>;
  /** Answers whose status changed. */
  settleCelebrities(): Promise<string[]>;
}

export function createGraph(deps: {
  postgres: Postgres;
  log: EventLog;
  cache: Pick<FeedCache, 'invalidate'>;
  relations: RelationCache;
  authors: Summaries;
  config: Pick<FeedConfig, 'celebrityFollowers'>;
}): Graph {
  return {
    signIn: createSignIn(deps),
    upsertProfile: (caller, input) => upsertProfile(deps, caller, input),
    followUser: (caller, userId) => followUser(deps, caller, userId),
    unfollowUser: (caller, userId) => unfollowUser(deps, caller, userId),
    muteUser: (caller, userId) => muteUser(deps, caller, userId),
    unmuteUser: (caller, userId) => unmuteUser(deps, caller, userId),
    blockUser: (caller, userId) => blockUser(deps, caller, userId),
    unblockUser: (caller, userId) => unblockUser(deps, caller, userId),
    setCloseFriend: (caller, input) => setCloseFriend(deps, caller, input),
    setVerified: (input) => setVerified(deps, input),
    setMutedKeywords: (caller, keywords) => setMutedKeywords(deps, caller, keywords),
    findMutedKeywords: (userId) => findMutedKeywords(deps, userId),
    findUsers: (userIds) => findUsers(deps, userIds),
    findRelations: (userId, others) => findRelations(deps, userId, others),
    pageFollows: (side, viewer, userIds, page) => pageFollows(deps, side, viewer, userIds, page),
    pageOwnList: (list, viewer, page) => pageOwnList(deps, list, viewer, page),
    searchUsers: (viewer, text, page) => searchUsers(deps, viewer, text, page),
    forgetFollows: (followerIds) => forgetFollows(deps, followerIds),
    settleCelebrities: () => settleCelebrities(deps, deps.config.celebrityFollowers),
  };
}
