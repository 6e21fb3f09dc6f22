import type { Queryable } from '../../../platform/postgres/postgres.js';
import { batchedReads } from '../batched-reads.js';
import { type LiveCursor, MAX_UPDATES } from './cursors.js';
import { sql } from './live.sql.js';

/** Readers in one statement. Mostly nobody missed anything, and at worst each of them `MAX_UPDATES` posts. */
const READERS_AT_ONCE = 100;

/** A post that came to a reader's feed. */
export interface Missed {
  readonly postId: string;
  readonly authorId: string;
  readonly createdAt: Date;
  readonly position: number;
}

interface Question {
  readonly userId: string;
  readonly done: number;
  readonly seen: readonly number[];
}

export type MissedPosts = ReturnType<typeof createMissedPosts>;

/** What subscriptions missed, from Postgres. After a lost wake-up thousands ask in one instant. */
export function createMissedPosts({ postgres }: { readonly postgres: Queryable }) {
  const ask = batchedReads<Question, readonly Missed[]>(read, READERS_AT_ONCE);

  async function read(asked: readonly Question[]): Promise<Missed[][]> {
    const { rows } = await postgres.query(sql.missed, [
      asked.map(({ userId }) => userId),
      asked.map(({ done }) => done),
      asked.map(({ seen }) => `{${seen.join()}}`),
      MAX_UPDATES + 1,
    ]);
    const missed: Missed[][] = asked.map(() => []);
    for (const { reader, ...post } of rows) missed[reader - 1]!.push(post);
    return missed;
  }

  return {
    /** Posts that came to the reader's feed since the cursor, in log order; more than `MAX_UPDATES` are any of them. */
    since: (userId: string, { done, seen }: LiveCursor): Promise<readonly Missed[]> =>
      ask({ userId, done, seen: [...seen] }),
  };
}
