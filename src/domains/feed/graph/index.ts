import { bind, type DependenciesOf } from '../../../platform/bind.js';
import {
  blockUser,
  followUser,
  forgetFollows,
  muteUser,
  setCloseFriend,
  unblockUser,
  unfollowUser,
  unmuteUser,
} from './change-relation.js';
import { pageFollows, pageOwnList } from './lists.js';
import { findMutedKeywords, setMutedKeywords } from './muted-keywords.js';
import { searchUsers } from './search.js';
import {
  createSignIn,
  findRelations,
  findUsers,
  settleCelebrities,
  setVerified,
  upsertProfile,
} from './users.js';

export type Graph = ReturnType<typeof createGraph>;

const functions = {
  upsertProfile,
  followUser,
  unfollowUser,
  muteUser,
  unmuteUser,
  blockUser,
  unblockUser,
  setCloseFriend,
  setVerified,
  settleCelebrities,
  setMutedKeywords,
  findMutedKeywords,
  findUsers,
  findRelations,
  pageFollows,
  pageOwnList,
  searchUsers,
  forgetFollows,
};

/** People, and their relations to each other. */
export const createGraph = (deps: DependenciesOf<typeof functions>) => ({
  ...bind(deps, functions),
  signIn: createSignIn(deps),
});
