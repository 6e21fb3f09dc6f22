import { bind } from '../../../platform/bind.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { FeedConfig } from '../config.js';
import { settleCelebrities } from './celebrities.js';
import {
  blockUser,
  followUser,
  forgetFollows,
  muteUser,
  unblockUser,
  unfollowUser,
  unmuteUser,
} from './change-relation.js';
import { setCloseFriend } from './close-friends.js';
import { pageFollows } from './follow-pages.js';
import { findMutedKeywords, setMutedKeywords } from './muted-keywords.js';
import { pageOwnList } from './own-lists.js';
import type { RelationCache } from './relations.js';
import { searchUsers } from './search.js';
import { createSignIn, findRelations, findUsers, type Summaries, upsertProfile } from './users.js';
import { setVerified } from './verified.js';

export { NO_RELATION, type Relation } from './users.js';

/** People, and their relations to each other. */
export type Graph = ReturnType<typeof createGraph>;

export const createGraph = (deps: {
  postgres: Postgres;
  log: EventLog;
  cache: Pick<FeedCache, 'invalidate'>;
  relations: RelationCache;
  authors: Summaries;
  config: Pick<FeedConfig, 'celebrityFollowers'>;
}) => ({
  ...bind(deps, {
    upsertProfile,
    followUser,
    unfollowUser,
    muteUser,
    unmuteUser,
    blockUser,
    unblockUser,
    setCloseFriend,
    setVerified,
    setMutedKeywords,
    findMutedKeywords,
    findUsers,
    findRelations,
    pageFollows,
    pageOwnList,
    searchUsers,
    forgetFollows,
  }),
  signIn: createSignIn(deps),
  settleCelebrities: () => settleCelebrities(deps, deps.config.celebrityFollowers),
});
