import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let client: pg.Client;

async function open(): Promise<void> {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}

async function close(): Promise<void> {
  await client.end();
  await database.drop();
}

const rowsOf = async (statement: string): Promise<unknown[]> => (await client.query(statement)).rows;
const load = () => loadDemo({ databaseUrl: database.url });

const gaps = `SELECT global_position FROM (
  SELECT global_position, created_at, row_number() OVER w AS place, lag(created_at) OVER w AS before
  FROM events WINDOW w AS (ORDER BY global_position)) e
WHERE global_position <> place OR created_at < before`;
const wrongCounts = `SELECT user_id FROM users u WHERE
  follower_count <> (SELECT count(*) FROM follows WHERE followee_id = u.id) OR
  following_count <> (SELECT count(*) FROM follows WHERE follower_id = u.id)`;

describe('loading the demo into an empty database', { timeout: 120_000 }, () => {
  beforeAll(open);
  afterAll(close);

  it('leaves nothing behind when it is killed halfway', async () => {
    // Users and follows go in; posts wait for this lock.
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE posts IN SHARE MODE');
      const killed = load().catch(() => 'failed');
      await expect.poll(() => killWhoeverWaits(), { timeout: 60_000, interval: 50 }).toBe(true);
      expect(await killed).toBe('failed');
    } finally {
      await blocker.end();
    }
    expect(
      await rowsOf(
        'SELECT (SELECT count(*) FROM users)::int AS users, (SELECT count(*) FROM events)::int AS events',
      ),
    ).toEqual([{ users: 0, events: 0 }]);
  });

  it('loads once, even when two try at once', async () => {
    const outcomes = await Promise.all([load(), load()]);
    expect(outcomes.sort()).toEqual(['already there', 'loaded']);
    expect(await load()).toBe('already there');
  });

  it('counts followers as the edges do', async () => {
    expect(await rowsOf(wrongCounts)).toEqual([]);
    const [size] = await rowsOf(`SELECT (SELECT count(*) FROM users)::int AS users,
      (SELECT count(*) FROM follows) BETWEEN 300000 AND 400000 AS follows, (SELECT count(*) FROM posts)::int AS posts`);
    expect(size).toEqual({ users: 12_000, follows: true, posts: 20_000 });
  });

  it('has three verified celebrities with more than 10,000 followers', async () => {
    expect(
      await rowsOf(
        'SELECT is_celebrity, is_verified FROM users WHERE is_celebrity OR follower_count > 10000',
      ),
    ).toEqual(Array(3).fill({ is_celebrity: true, is_verified: true }));
  });

  it('fills the log without gaps, forward in time, and each stream too', async () => {
    expect(await rowsOf(gaps)).toEqual([]);
    expect(
      await rowsOf(`SELECT stream_id FROM events GROUP BY stream_id
        HAVING min(stream_position) <> 0 OR max(stream_position) <> count(*) - 1`),
    ).toEqual([]);
  });

  it('has one PostPublished for each post, of the same time, place and content', async () => {
    expect(
      await rowsOf(`SELECT p.post_id FROM posts p JOIN users u ON u.id = p.author_id
        LEFT JOIN events e ON e.stream_id = 'Post-' || p.post_id AND e.event_type = 'PostPublished'
          AND e.global_position = p.position AND e.created_at = p.created_at
          AND e.data = jsonb_build_object('postId', p.post_id, 'authorId', u.user_id, 'content', p.content,
            'visibility', p.visibility)
        WHERE e.stream_id IS NULL OR (p.distribution = 'pull') <> u.is_celebrity`),
    ).toEqual([]);
  });

  it('never lets a balance fall below zero', async () => {
    expect(
      await rowsOf(`SELECT stream_id FROM (
          SELECT stream_id, sum((data ->> 'amount')::numeric * CASE event_type WHEN 'MoneyWithdrawn' THEN -1 ELSE 1 END)
            OVER (PARTITION BY stream_id ORDER BY stream_position) AS balance
          FROM events WHERE event_type LIKE 'Money%') b
        WHERE balance < 0`),
    ).toEqual([]);
    expect(await rowsOf(`SELECT count(*)::int FROM events WHERE event_type = 'AccountCreated'`)).toEqual([
      { count: 200 },
    ]);
    expect(await rowsOf(`SELECT count(*)::int FROM events WHERE event_type = 'ProductSaved'`)).toEqual([
      { count: 300 },
    ]);
  });

  it('does not leave its posts to fan-out', async () => {
    expect(
      await rowsOf(`SELECT last_position = (SELECT max(global_position) FROM events) AS passed
        FROM projector_checkpoints WHERE projector_name = 'feed-fan-out'`),
    ).toEqual([{ passed: true }]);
  });

  it('sees most users within the week and some not for a month', async () => {
    const [seen] = await rowsOf(`SELECT avg((last_seen_at > now() - interval '7 days')::int)::float8 AS week,
      avg((last_seen_at < now() - interval '30 days')::int)::float8 AS away FROM users`);
    expect(seen).toMatchObject({ week: expect.closeTo(0.8, 1), away: expect.closeTo(0.08, 1) });
  });
});

describe('loading the demo into a database that is used already', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await open();
    await client.query(`INSERT INTO users (user_id, display_name, follower_count, following_count)
      VALUES ('bob', 'Bobby', 0, 1), ('alice', 'alice', 1, 0)`);
    await client.query(`INSERT INTO follows (follower_id, followee_id)
      SELECT b.id, a.id FROM users a, users b WHERE a.user_id = 'alice' AND b.user_id = 'bob'`);
    await client.query(`INSERT INTO events (global_position, stream_id, stream_position, event_type, data, created_at)
      VALUES (1, 'Account-acc-alice', 0, 'AccountCreated', '{"currency": "KWD"}', now())`);
    await client.query(
      `INSERT INTO projector_checkpoints (projector_name, last_position) VALUES ('feed-fan-out', 0)`,
    );
    expect(await load()).toBe('loaded');
  });
  afterAll(close);

  it('keeps what people had', async () => {
    expect(
      await rowsOf(`SELECT display_name FROM users WHERE user_id IN ('alice', 'bob') ORDER BY user_id`),
    ).toEqual([{ display_name: 'Alice Moreau' }, { display_name: 'Bobby' }]);
    expect(await rowsOf(`SELECT data FROM events WHERE stream_id = 'Account-acc-alice'`)).toEqual([
      { data: { currency: 'KWD' } },
    ]);
  });

  it('goes on where the log ended, without gaps and forward in time', async () => {
    expect(await rowsOf(gaps)).toEqual([]);
  });

  it('counts the edges that were there once', async () => {
    expect(await rowsOf(wrongCounts)).toEqual([]);
  });

  it('leaves a fan-out that is behind where it is', async () => {
    expect(await rowsOf('SELECT last_position::int FROM projector_checkpoints')).toEqual([
      { last_position: 0 },
    ]);
  });
});

/** Ends the load's session once it waits for a lock. */
async function killWhoeverWaits(): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tidings demo' AND wait_event_type = 'Lock'`);
  return rowCount === 1;
}
