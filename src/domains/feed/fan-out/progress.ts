import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { FollowersPage } from './followers.js';

const sql = loadStatements(new URL('./progress.sql', import.meta.url), ['progress']);

/** How far a fan-out has come. */
export interface Progress {
  /** A page is done, and all before it: written soon, several at a time where writing takes longer than pushing. */
  note(done: { readonly page: FollowersPage; readonly pushed: number }): void;
  /** Resolves when everything that was noted is written. */
  settle(): Promise<void>;
}

/** @param already how many were pushed to before the first page */
export function createProgress(postgres: Queryable, postId: string, already: number): Progress {
  let after = 0;
  let followers = 0;
  let pushed = already;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (followers > 0) {
      const noted = [postId, after, followers, pushed];
      followers = 0;
      pushed = 0;
      await postgres.query(sql.progress, noted);
    }
    writing = undefined;
  }

  return {
    note(done) {
      after = done.page.last;
      followers += done.page.userIds.length;
      pushed += done.pushed;
      writing ??= write();
      // Whoever settles hears of it.
      writing.catch(() => undefined);
    },
    async settle() {
      await writing;
    },
  };
}
