import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgePosts } from '../../src/domains/feed/posts/purge.js';
import { systemClock } from '../../src/platform/clock.js';
import { createLookBack } from '../../src/platform/look-back.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { fixtures } from './engagement-world.js';
import { costOf } from './statement-cost.js';

let database: TestDatabase;
let postgres: Postgres;
let people: ReturnType<typeof fixtures>;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
  people = fixtures(postgres);
  await people.users('ann', 'ben');
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** A post with so many reactions, comments that mention somebody, and counts that are not summed up. */
async function aPost(belongings: number, isDeleted: boolean): Promise<string> {
  const postId = await people.post('ann');
  for (const statement of [
    `INSERT INTO reactions (post_id, user_id, kind, created_at) SELECT $1, n, 'LIKE', now() FROM generate_series(1, $2::int) AS n`,
    `WITH made AS (
       INSERT INTO comments (comment_id, post_id, author_id, content, created_at)
       SELECT gen_random_uuid(), $1, 1, 'x', now() FROM generate_series(1, $2::int) RETURNING comment_id
     ) INSERT INTO mentions (subject_id, user_id, position) SELECT comment_id, 1, 1 FROM made`,
    `INSERT INTO post_count_deltas (post_id, counter, delta) SELECT $1, 'LIKE', 1 FROM generate_series(1, $2::int)`,
    `INSERT INTO mentions (subject_id, user_id, position) SELECT $1, 1, 1 WHERE $2::int >= 0`,
    `INSERT INTO post_edits (post_id, position, content, edited_at) SELECT $1, 1, 'x', now() WHERE $2::int >= 0`,
  ])
    await postgres.query(statement, [postId, belongings]);
  if (isDeleted)
    await postgres.query(`UPDATE posts SET deleted_at = now() - interval '25 hours' WHERE post_id = $1`, [
      postId,
    ]);
  return postId;
}

const TABLES = ['posts', 'reactions', 'comments', 'mentions', 'post_count_deltas', 'post_edits'];
async function rowsLeft(): Promise<Record<string, number>> {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await postgres.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
      return [table, rows[0]!.n] as const;
    }),
  );
  return Object.fromEntries(counts);
}

const purge = (by: Queryable = postgres) =>
  purgePosts({
    postgres: by,
    clock: systemClock,
    lookBack: createLookBack(),
    removeMedia: async () => undefined,
  });

/** Notes how many blocks each statement of a purge reads. */
function measuring() {
  const steps: number[] = [];
  const query = (statement: { text: string }, values: readonly unknown[]) =>
    postgres.transaction(async (tx) => {
      await tx.query('SAVEPOINT before_it');
      steps.push((await costOf(tx, statement, values)).blocks);
      await tx.query('ROLLBACK TO SAVEPOINT before_it');
      return tx.query(statement as never, values as never);
    });
  return { steps, by: { query } as unknown as Queryable };
}

describe('a post that was deleted a day ago', () => {
  it('is removed with all that belongs to it in steps of some thousand rows, however hot it was', async () => {
    await aPost(30_000, false);
    const kept = await rowsLeft();
    await aPost(20_000, true);
    await aPost(7, true);
    await postgres.query('VACUUM ANALYZE reactions, comments, mentions, post_count_deltas, posts');
    const { steps, by } = measuring();
    expect(await purge(by)).toBe(2);
    expect(await rowsLeft()).toEqual(kept);
    expect(steps.length).toBeGreaterThan(20);
    // About 21,000 each, more where an autovacuum runs beside it; all at once it would be 100,000.
    expect(Math.max(...steps)).toBeLessThan(60_000);
  });

  it('is removed by the next run where a process was killed before any of its statements', async () => {
    const kept = await rowsLeft();
    for (let survived = 0, isDead = true; isDead; survived += 1) {
      await aPost(2_500, true);
      isDead = false;
      let calls = 0;
      const query = async (...args: Parameters<Queryable['query']>) => {
        if (calls === survived) {
          isDead = true;
          throw new Error('killed');
        }
        calls += 1;
        return postgres.query(...args);
      };
      await purge({ query } as Queryable).catch(({ message }: Error) => expect(message).toBe('killed'));
      await purge();
      expect(await rowsLeft()).toEqual(kept);
    }
  });

  it('stays while a comment or reaction that came meanwhile belongs to it, and blocks no command', async () => {
    const kept = await rowsLeft();
    const postId = await aPost(5, true);
    await postgres.transaction(async (tx) => {
      await tx.query('SELECT FROM posts WHERE post_id = $1 FOR UPDATE', [postId]);
      expect(await purge()).toBe(0);
    });
    expect(await purge()).toBe(1);
    expect(await rowsLeft()).toEqual(kept);
  });
});
