import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/domains/feed/fan-out/fan-out.sql.js';
import { createProgress, type Reached } from '../../src/domains/feed/fan-out/progress.js';
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

const BEGUN = { after_follower: 0, followers: 0, pushed: 0 };
const complete = async (postId: string, { after_follower, followers, pushed }: Reached) =>
  postgres.query(sql.complete, [postId, after_follower, followers, pushed]);

it('counts each follower once, though two runs write it, in pages of different sizes', async () => {
  const postId = await begin();
  const one = createProgress(postgres, postId, BEGUN, 0);
  for (const last of [2, 4]) {
    one.note(done(last));
    await expect.poll(() => written(postId)).toMatchObject({ after_follower: last });
  }
  // Begun where the first run was then, as a worker that takes its job does.
  const other = createProgress(postgres, postId, { after_follower: 2, followers: 2, pushed: 1 }, 0);
  other.note({ page: { last: 5, userIds: ['f3', 'f4', 'f5'], isActive: [true, true, true] }, pushed: 2 });
  await expect.poll(() => written(postId)).toEqual({ after_follower: 5, followers: 5, pushed: 3 });
  one.note(done(6));
  await expect.poll(() => written(postId)).toEqual({ after_follower: 6, followers: 6, pushed: 3 });
  await complete(postId, other.end(done(8)));
  expect(await written(postId)).toEqual({ after_follower: 8, followers: 7, pushed: 4 });
});

it('of the run that completes it is not counted where another came farther', async () => {
  const postId = await begin();
  const farther = createProgress(postgres, postId, BEGUN, 0);
  for (const last of [2, 4, 6]) farther.note(done(last));
  await expect.poll(() => written(postId)).toMatchObject({ after_follower: 6 });
  await complete(postId, createProgress(postgres, postId, BEGUN).end(done(2)));
  expect(await written(postId)).toEqual({ after_follower: 6, followers: 6, pushed: 3 });
  farther.note(done(8));
  await complete(postId, farther.end());
  expect(await written(postId)).toEqual({ after_follower: 6, followers: 6, pushed: 3 });
});

it('is written soon, though nothing more is done', async () => {
  const postId = await begin();
  const progress = createProgress(postgres, postId, BEGUN);
  for (const last of [2, 4]) progress.note(done(last));
  await expect.poll(() => written(postId)).toEqual({ after_follower: 4, followers: 4, pushed: 2 });
  progress.note(done(6));
  await expect.poll(() => written(postId)).toEqual({ after_follower: 6, followers: 6, pushed: 3 });
});

it('that could not be written is written with the next page', async () => {
  const postId = await begin();
  let isAway = true;
  let refused = 0;
  const progress = createProgress(
    {
      async query(statement, values) {
        if (!isAway) return postgres.query(statement, values);
        refused += 1;
        throw new Error('away');
      },
    },
    postId,
    BEGUN,
    0,
  );
  progress.note(done(2));
  await expect.poll(() => refused).toBe(1);
  isAway = false;
  progress.note(done(4));
  await expect.poll(() => written(postId)).toEqual({ after_follower: 4, followers: 4, pushed: 2 });
});

it('of a fan-out that takes less than a moment is written once, by what completes it', async () => {
  const postId = await begin();
  const progress = createProgress(postgres, postId, { ...BEGUN, pushed: 5 }, 1_000_000);
  for (const last of [2, 4]) progress.note(done(last));
  const reached = progress.end(done(6));
  expect(await written(postId)).toEqual({ after_follower: 0, followers: 0, pushed: 0 });
  expect(reached).toEqual({ after_follower: 6, followers: 6, pushed: 8 });
});
