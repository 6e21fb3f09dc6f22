import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { FollowersPage } from './followers.js';
import { sql } from './progress.sql.js';

/** A page whose followers have the post. */
interface Done {
  readonly page: FollowersPage;
  readonly pushed: number;
}

/**
 * How far a fan-out has come.
 *
 * @param early how many were pushed to before the first page
 */
export function createProgress(postgres: Queryable, postId: string, early: number) {
  let noted: Done[] = [];
  let pushedBefore = early;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (noted.length > 0) {
      const pages = noted;
      noted = [];
      await postgres.query(sql.progress, [
        postId,
        pages.map(({ page }) => page.last),
        pages.map(({ page }) => page.userIds.length),
        pages.map(({ pushed }) => pushed),
      ]);
    }
    writing = undefined;
  }

  return {
    /** A page is done, and all before it. It is written soon; several together where writing takes longer than pushing. */
    note(done: Done): void {
      noted.push({ ...done, pushed: done.pushed + pushedBefore });
      pushedBefore = 0;
      writing ??= write();
      // `settle` rejects with it.
      writing.catch(() => undefined);
    },
    /** Resolves when all notes are written. */
    async settle(): Promise<void> {
      await writing;
    },
  };
}
