import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { FollowersPage } from './followers.js';
import { sql } from './progress.sql.js';

/** A page whose followers have the post. */
interface Done {
  readonly page: FollowersPage;
  readonly pushed: number;
}

/** Most fan-outs take less, and write nothing before they are complete. A killed one repeats as much, and the pages under way. */
const WRITTEN_EVERY_MS = 100;

/**
 * How far a fan-out has come.
 *
 * @param early how many were pushed to before the first page
 * @param everyMs how often it is written; every 100 ms unless given
 */
export function createProgress(
  postgres: Queryable,
  postId: string,
  early: number,
  everyMs = WRITTEN_EVERY_MS,
) {
  const noted: Done[] = [];
  let pushedBefore = early;
  let writing: Promise<void> | undefined;
  let writtenAt = performance.now();
  const settled = new AbortController();

  const take = (done: Done): void => {
    noted.push({ ...done, pushed: done.pushed + pushedBefore });
    pushedBefore = 0;
  };
  async function write(): Promise<void> {
    while (noted.length > 0) {
      const left = Math.max(0, writtenAt + everyMs - performance.now());
      await pause(left, undefined, { signal: settled.signal }).catch(() => undefined);
      if (settled.signal.aborted) break;
      writtenAt = performance.now();
      await postgres.query(sql.progress, [postId, ...columnsOf(noted.splice(0))]);
    }
    writing = undefined;
  }

  return {
    /** A page is done, and all before it. It is written soon, with those that are done by then, unless all is settled before. */
    note(done: Done): void {
      take(done);
      writing ??= write();
      // `settle` rejects with it.
      writing.catch(() => undefined);
    },
    /**
     * Ends it: resolves when nothing is being written.
     *
     * @param last the last page, where there is one
     * @returns what the statement that completes the fan-out has to write, as it takes it
     * @throws what a write failed with
     */
    async settle(last?: Done): Promise<Columns> {
      settled.abort();
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
