import type { User } from '../types.js';

/** Author summaries by user id: fresh for a minute, and at once where `forget` was called. */
export interface AuthorStore {
  /** The users among `userIds` that exist, by user id. */
  find(userIds: readonly string[]): Promise<Map<string, User>>;
  /** After a change of profile: the next `find` reads Postgres. */
  forget(userIds: readonly string[]): Promise<void>;
}
