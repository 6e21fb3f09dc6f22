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

  const take = (done: Done): void => {
    noted.push({ ...done, pushed: done.pushed + pushedBefore });
    pushedBefore = 0;
  };
  async function write(): Promise<void> {
    while (noted.length > 0) {
      const pages = noted;
      noted = [];
      await postgres.query(sql.progress, [postId, ...columnsOf(pages)]);
    }
    writing = undefined;
  }

  return {
    /** A page is done, and all before it. It is written soon; several together where writing takes longer than pushing. */
    note(done: Done): void {
      take(done);
      writing ??= write();
      // `settle` rejects with it.
      writing.catch(() => undefined);
    },
    /**
     * Resolves when all notes are written.
     *
     * @param last the last page, where there is one: it is left to the statement that completes the fan-out
     * @returns what that statement has to write, as it takes it
     */
    async settle(last?: Done): Promise<Columns> {
      await writing;
      if (last) take(last);
      return columnsOf(noted.splice(0));
    },
  };
}

/** Pages by column, an entry a page: the last follower's surrogate id, followers, how many of them were pushed to. */
type Columns = readonly [number[], number[], number[]];

const columnsOf = (pages: readonly Done[]): Columns => [
  pages.map(({ page }) => page.last),
  pages.map(({ page }) => page.userIds.length),
  pages.map(({ pushed }) => pushed),
];
