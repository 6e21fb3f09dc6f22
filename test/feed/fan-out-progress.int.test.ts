import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('counts each page once, though two runs write it, one of them several pages at a time', async () => {
  const postId = uuidV7Ids({ now: Date.now }).next();
  await postgres.query(`INSERT INTO fanouts (post_id, author, position) VALUES ($1, 'ann', 1)`, [postId]);
  const [one, other] = [createProgress(postgres, postId, 0), createProgress(postgres, postId, 0)];
  one.note(done(2));
  await one.settle();
  one.note(done(4));
  await one.settle();
  for (const last of [2, 4, 6]) other.note(done(last));
  await other.settle();
  const { rows } = await postgres.query(
    'SELECT after_follower, followers, pushed FROM fanouts WHERE post_id = $1',
    [postId],
  );
  expect(rows).toEqual([{ after_follower: 6, followers: 6, pushed: 3 }]);
});
