import type { Queryable } from '../../../platform/postgres.js';
import type { FollowersPage } from './followers.js';
import { sql } from './progress.sql.js';

/** A page whose followers have the post. */
interface Done {
  readonly page: FollowersPage;
  readonly pushed: number;
}

/** How far a fan-out has come. */
export interface Progress {
  /** A page is done, and all before it. It is written soon; several together where writing takes longer than pushing. */
  note(done: Done): void;
  /** Resolves when all notes are written. */
  settle(): Promise<void>;
}

/** @param already how many were pushed to before the first page */
export function createProgress(postgres: Queryable, postId: string, already: number): Progress {
  let noted: Done[] = [];
  let early = already;
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
    note(done) {
      noted.push({ ...done, pushed: done.pushed + early });
      early = 0;
      writing ??= write();
      // `settle` rejects with it.
      writing.catch(() => undefined);
    },
    async settle() {
      await writing;
    },
  };
}
