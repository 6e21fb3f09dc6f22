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
const wrongCounts = `SELECT user_id FROM counted_users u WHERE
  follower_count <> (SELECT count(*) FROM follows WHERE followee_id = u.id) OR
  following_count <> (SELECT count(*) FROM follows WHERE follower_id = u.id)`;

/** What guards hold orders against, where it is not what the events add up to: none. */
const wrongStock = `SELECT coalesce(s.product_id, e.product_id) AS product_id
FROM product_stock s FULL JOIN (
  SELECT data ->> 'productId' AS product_id,
    (array_agg(data ->> 'name') FILTER (WHERE event_type = 'ProductSaved'))[1] AS name,
    max((data ->> 'unitPrice')::numeric) AS unit_price,
    max((data ->> 'inStock')::int) - coalesce(sum((data ->> 'quantity')::int)
      FILTER (WHERE event_type = 'InventoryShipped'), 0) AS on_hand,
    coalesce(sum((data ->> 'quantity')::int * CASE event_type WHEN 'InventoryReserved' THEN 1 ELSE -1 END), 0) AS reserved
  FROM events WHERE stream_id LIKE 'Product-%' GROUP BY 1) e USING (product_id)
WHERE (s.name, s.unit_price::numeric / 100, s.on_hand, s.reserved)
  IS DISTINCT FROM (e.name, e.unit_price, e.on_hand, e.reserved)`;
const wrongCredit = `SELECT coalesce(c.customer_id, e.customer_id) AS customer_id
FROM customer_credit c FULL JOIN (
  SELECT customer_id,
    (array_agg(coalesce(data ->> 'userId', metadata ->> 'userId'))
      FILTER (WHERE event_type = 'CustomerRegistered'))[1] AS user_id,
    (array_agg(coalesce((data ->> 'isActive')::boolean, true) ORDER BY global_position DESC)
      FILTER (WHERE event_type IN ('CustomerRegistered', 'CustomerStatusSet')))[1] AS is_active,
    (array_agg(coalesce((data ->> 'creditLimit')::numeric, 1000) ORDER BY global_position DESC)
      FILTER (WHERE event_type IN ('CustomerRegistered', 'CustomerStatusSet')))[1] AS credit_limit,
    coalesce(sum(CASE event_type WHEN 'OrderPlaced' THEN (data ->> 'totalAmount')::numeric
      WHEN 'OrderCancelled' THEN -(data ->> 'totalAmount')::numeric
      WHEN 'PaymentRecorded' THEN -(data ->> 'amount')::numeric END), 0) AS outstanding
  FROM (SELECT *, coalesce(data ->> 'customerId', substr(stream_id, 10)) AS customer_id
    FROM events WHERE stream_id LIKE 'Customer-%' OR event_type IN ('OrderPlaced', 'OrderCancelled')) x
  GROUP BY 1) e USING (customer_id)
WHERE (c.user_id, c.is_active, c.credit_limit::numeric / 100, c.outstanding::numeric / 100)
  IS DISTINCT FROM (e.user_id, e.is_active, e.credit_limit, e.outstanding)`;

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

  it('puts into the rows of inline projections what the events add up to', async () => {
    expect(await rowsOf(wrongStock)).toEqual([]);
    expect(await rowsOf(wrongCredit)).toEqual([]);
    const [size] = await rowsOf(`SELECT (SELECT count(*) FROM product_stock)::int AS products,
      (SELECT count(*) FROM customer_credit)::int AS customers, (SELECT count(*) FROM outbox)::int AS pending`);
    expect(size).toEqual({ products: 300, customers: 150, pending: 0 });
  });

  it('says of itself what it brought', async () => {
    expect(await rowsOf(`SELECT data FROM events WHERE event_type = 'DemoLoaded'`)).toEqual([
      {
        data: {
          users: 12_000,
          posts: 20_000,
          accounts: 200,
          transfers: 42,
          products: 300,
          customers: 150,
          orders: 600,
        },
      },
    ]);
  });

  it('lets a friend order something of the catalogue', async () => {
    expect(
      await rowsOf(`SELECT count(*) > 200 AS choice FROM customer_credit c, product_stock s
        WHERE c.customer_id = 'cust-alice' AND c.user_id = 'alice' AND c.is_active
          AND c.outstanding + s.unit_price <= c.credit_limit AND s.on_hand > s.reserved`),
    ).toEqual([{ choice: true }]);
    expect(
      await rowsOf(`SELECT count(*)::int FROM product_stock s JOIN events e ON e.stream_id = 'Product-' || s.product_id
        WHERE e.event_type = 'ProductSaved' AND s.unit_price = (e.data ->> 'unitPrice')::numeric * 100`),
    ).toEqual([{ count: 300 }]);
  });

  it('has the events of each order under one correlation id', async () => {
    expect(
      await rowsOf(`SELECT o.stream_id FROM events o WHERE o.event_type = 'OrderPlaced' AND NOT EXISTS (
        SELECT FROM events r WHERE r.metadata ->> 'correlationId' = o.metadata ->> 'correlationId'
          AND r.event_type = 'InventoryReserved' AND r.data ->> 'orderId' = o.data ->> 'orderId'
          AND r.created_at = o.created_at AND o.created_at = (o.data ->> 'timestamp')::timestamptz)`),
    ).toEqual([]);
  });

  it('does not leave its posts to fan-out, its follows and orders to messages or its transfers to workers', async () => {
    expect(
      await rowsOf(`SELECT projector_name, position = (SELECT max(global_position) FROM events) AS passed
        FROM projector_positions ORDER BY projector_name`),
    ).toEqual(
      ['feed-fan-out', 'feed-notices', 'order-messages', 'transfer-process', 'webhook-events'].map(
        (projector_name) => ({
          projector_name,
          passed: true,
        }),
      ),
    );
  });

  it('has dead letters, alerts, digests, schedules, campaigns, groups, webhooks and bounces to look at', async () => {
    const [filled] = await rowsOf(`SELECT
      (SELECT count(*)::int FROM failed_notifications f JOIN deliveries d USING (delivery_id)
       WHERE d.status = 'DEAD' AND f.settled_at IS NULL AND f.failed_at < now() - interval '20 minutes') AS letters,
      (SELECT count(*)::int FROM alerts WHERE resolved_at IS NULL) AS raised,
      (SELECT count(*)::int FROM alerts WHERE resolved_at IS NOT NULL) AS resolved,
      (SELECT count(DISTINCT change)::int FROM alerts) AS changes,
      (SELECT count(*) > 50 FROM digest_items WHERE due_at > now()) AS digests,
      (SELECT count(*) > 0 FROM notification_templates WHERE notification_type = 'DIGEST' AND is_active) AS "digestTemplate",
      (SELECT array_agg(status ORDER BY status) FROM campaigns) AS campaigns,
      (SELECT count(*) > 0 FROM notification_groups WHERE actor_count > 1) AS groups,
      (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'FAILED') AS "failedEvents",
      (SELECT array_agg(DISTINCT cause ORDER BY cause) FROM address_suppressions) AS causes`);
    expect(filled).toEqual({
      ...{ letters: 12, raised: 1, resolved: 2, changes: 3, digests: true, digestTemplate: true },
      ...{ campaigns: ['COMPLETED', 'PAUSED', 'RUNNING'], groups: true, failedEvents: 12 },
      causes: ['COMPLAINT', 'HARD_BOUNCE', 'SOFT_BOUNCES', 'STOP'],
    });
    // What became of each campaign is what it says of itself, and is in the analytics of all.
    expect(
      await rowsOf(`SELECT bool_and(r.sent = p.queued AND r.suppressed = p.suppressed AND r.opened > 0 AND r.latest < now() - interval '15 minutes') AS agree,
          sum(r.sent)::int = ALL (ARRAY(SELECT sum(n.sent)::int FROM notification_rollups n GROUP BY n.seconds)) AS "inAll"
        FROM campaign_pages p JOIN (
          SELECT campaign_id, sum(sent) AS sent, sum(suppressed) AS suppressed, sum(opened) AS opened, max(starts_at) AS latest
          FROM campaign_rollups GROUP BY campaign_id) AS r USING (campaign_id)`),
    ).toEqual([{ agree: true, inAll: true }]);
    expect(
      await rowsOf(`SELECT status, next_at > now() AS ahead, due_at > now() AS due, jsonb_array_length(request -> 'recipients') AS users
        FROM notification_schedules ORDER BY status`),
    ).toEqual([
      { status: 'ACTIVE', ahead: true, due: true, users: 5 },
      { status: 'COMPLETED', ahead: null, due: null, users: 5 },
      { status: 'PAUSED', ahead: true, due: null, users: 5 },
    ]);
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
      VALUES ('bob', 'Bobby', 0, 1), ('alice', 'alice', 0, 0)`);
    await client.query(`INSERT INTO follow_counts (user_id, follower_count, following_count)
      SELECT id, 1, 0 FROM users WHERE user_id = 'alice'`);
    await client.query(`INSERT INTO follows (follower_id, followee_id)
      SELECT b.id, a.id FROM users a, users b WHERE a.user_id = 'alice' AND b.user_id = 'bob'`);
    await client.query(`INSERT INTO events (global_position, stream_id, stream_position, event_type, data, created_at)
      VALUES (1, 'Account-acc-alice', 0, 'AccountCreated', '{"currency": "KWD"}', now()),
        (2, 'Product-prod-171', 0, 'ProductSaved',
          '{"productId": "prod-171", "name": "Mine", "unitPrice": "7.50", "inStock": 3, "version": 1}', now())`);
    await client.query(`INSERT INTO product_stock VALUES ('prod-171', 'Mine', 750, 3, 0)`);
    await client.query(
      `WITH known AS (INSERT INTO projectors (projector_name) VALUES ('feed-fan-out'))
       INSERT INTO projector_positions (projector_name, position) VALUES ('feed-fan-out', 0)`,
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
    expect(await rowsOf(`SELECT on_hand, reserved FROM product_stock WHERE name = 'Mine'`)).toEqual([
      { on_hand: 3, reserved: 0 },
    ]);
  });

  it('has no event about products and accounts that existed before', async () => {
    const about = (id: string) => `SELECT count(*)::int FROM events WHERE data::text LIKE '%"${id}"%'`;
    expect(await rowsOf(about('prod-171'))).toEqual([{ count: 1 }]);
    expect(await rowsOf(about('acc-alice'))).toEqual([{ count: 0 }]);
    expect(await rowsOf(about('acc-bob'))).not.toEqual([{ count: 0 }]);
    expect(await rowsOf(wrongStock)).toEqual([]);
    expect(await rowsOf(wrongCredit)).toEqual([]);
  });

  it('goes on where the log ended, without gaps and forward in time', async () => {
    expect(await rowsOf(gaps)).toEqual([]);
  });

  it('counts the edges that were there once', async () => {
    expect(await rowsOf(wrongCounts)).toEqual([]);
  });

  it('leaves a fan-out that is behind where it is', async () => {
    expect(await rowsOf('SELECT position::int AS last_position FROM projector_positions')).toEqual([
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
