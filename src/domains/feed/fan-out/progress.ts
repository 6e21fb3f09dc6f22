import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { FollowersPage } from './followers.js';
import { sql } from './progress.sql.js';

/** A page whose followers have the post. */
interface Done {
  readonly page: FollowersPage;
  readonly pushed: number;
}

/** How far a fan-out has come, by whichever runs: all followers up to a surrogate id, how many they are, how many were pushed to. */
export interface Reached {
  readonly after_follower: number;
  readonly followers: number;
  readonly pushed: number;
}

/** Most fan-outs take less, and write nothing before they are complete. A killed one repeats as much, and the pages under way. */
const WRITTEN_EVERY_MS = 100;

/**
 * Writes how far a run of a fan-out has come. Of runs that overlap, the farther one counts.
 *
 * @param begun what the run goes on from, with those who were pushed to before the first page
 * @param everyMs how often it is written; every 100 ms unless given
 */
export function createProgress(
  postgres: Queryable,
  postId: string,
  begun: Reached,
  everyMs = WRITTEN_EVERY_MS,
) {
  let reached = begun;
  let written = begun;
  let isWriting = false;
  let writtenAt = performance.now();
  const ended = new AbortController();

  function add({ page, pushed }: Done): void {
    reached = {
      after_follower: page.last,
      followers: reached.followers + page.userIds.length,
      pushed: reached.pushed + pushed,
    };
  }

  async function write(): Promise<void> {
    isWriting = true;
    while (written !== reached) {
      const left = Math.max(0, writtenAt + everyMs - performance.now());
      await pause(left, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      writtenAt = performance.now();
      written = reached;
      // What is not written is done again by the next run, if this one is killed.
      await postgres.query(sql.progress, [postId, ...columnsOf(reached)]).catch(() => undefined);
    }
    isWriting = false;
  }

  return {
    /**
     * A page is done, and all before it. It is written soon, with those that are done by then, unless the run ends before; also where the
     * run fails. If a write fails, the next one includes it.
     */
    note(done: Done): void {
      add(done);
      if (!isWriting) void write();
    },
    /**
     * Nothing more is written; what is on its way changes nothing that is complete.
     *
     * @param last the last page, where there is one
     * @returns what the statement that completes the fan-out has to write
     */
    end(last?: Done): Reached {
      ended.abort();
      if (last) add(last);
      return reached;
    },
  };
}

/** As the statements take it that write it. */
export const columnsOf = ({
  after_follower,
  followers,
  pushed,
}: Reached): readonly [number, number, number] => [after_follower, followers, pushed];
