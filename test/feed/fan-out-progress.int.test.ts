import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/domains/feed/fan-out/fan-out.sql.js';
import { createProgress } from '../../src/domains/feed/fan-out/progress.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

/** A page of two followers, one of whom has a warm feed. */
const done = (last: number) => ({
  page: { last, userIds: [`f${last - 1}`, `f${last}`], isActive: [true, true] },
  pushed: 1,
});

const begin = async (): Promise<string> => {
  const postId = uuidV7Ids({ now: Date.now }).next();
  await postgres.query(`INSERT INTO fanouts (post_id, author, position) VALUES ($1, 'ann', 1)`, [postId]);
  return postId;
};
const written = async (postId: string) =>
  (await postgres.query('SELECT after_follower, followers, pushed FROM fanouts WHERE post_id = $1', [postId]))
    .rows[0];

it('counts each page once, though two runs write it, one of them several pages at a time', async () => {
  const postId = await begin();
  const [one, other] = [createProgress(postgres, postId, 0, 0), createProgress(postgres, postId, 0, 0)];
  for (const last of [2, 4]) {
    one.note(done(last));
    await expect.poll(() => written(postId)).toMatchObject({ after_follower: last });
  }
  for (const last of [2, 4, 6]) other.note(done(last));
  await postgres.query(sql.complete, [postId, ...(await other.settle(done(8)))]);
  expect(await written(postId)).toEqual({ after_follower: 8, followers: 8, pushed: 4 });
});

it('is written soon, though nothing more is done', async () => {
  const postId = await begin();
  const progress = createProgress(postgres, postId, 0);
  for (const last of [2, 4]) progress.note(done(last));
  await expect.poll(() => written(postId)).toEqual({ after_follower: 4, followers: 4, pushed: 2 });
  progress.note(done(6));
  await expect.poll(() => written(postId)).toEqual({ after_follower: 6, followers: 6, pushed: 3 });
});

it('of a fan-out that takes less than a moment is written once, by what completes it', async () => {
  const postId = await begin();
  const progress = createProgress(postgres, postId, 5, 1_000_000);
  for (const last of [2, 4]) progress.note(done(last));
  const left = await progress.settle(done(6));
  expect(await written(postId)).toEqual({ after_follower: 0, followers: 0, pushed: 0 });
  expect(left).toEqual([
    [2, 4, 6],
    [2, 2, 2],
    [6, 1, 1],
  ]);
});
