import type { Post } from '../types.js';

/** Post objects by id: what hydrating a page asks. However many are asked for, the round trips stay the same. */
export interface PostStore {
  /**
   * The posts among `postIds` that live, with author, media and live counts, by id. Whether somebody may see them is
   * not looked at. Ids that are none are absent.
   */
  find(postIds: readonly string[]): Promise<Map<string, Post>>;
  /**
   * After an edit, a delete or a change of media: replaces the cached objects by what Postgres says now, unless they are
   * newer already. A deleted post leaves a tombstone.
   */
  refresh(postIds: readonly string[]): Promise<void>;
}
