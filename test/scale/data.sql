-- A database whose tables grow with the number of users, :users. "hot" ones (an account, an author, a post, a mailbox, a producer,
-- a type) grow with it; "steady" ones have as many rows at any size.
--
-- What stands before the first section runs in each session. Then `users` runs, and then all other sections at once, each in a
-- session of its own: none reads what another but `users` writes. See load-data.ts, which builds the indexes and vacuums.
SET session_replication_role = replica;
SET synchronous_commit = off;

CREATE FUNCTION pg_temp.id_of(kind text, n bigint, at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(kind || n), 1, 3)
    || '8' || substr(md5(kind || n), 4, 15))::uuid
$$;
-- Rows of n of m, evenly over the last 25 days.
CREATE FUNCTION pg_temp.at(n bigint, m bigint) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc('milliseconds', now() - interval '1 hour' - interval '25 days' * (1 - n::float8 / m))
$$;

-- section: users
INSERT INTO users (id, user_id, display_name, last_seen_at, follower_count, following_count, is_celebrity, has_pulled)
SELECT n, CASE n WHEN 1 THEN 'hot' WHEN 2 THEN 'steady' WHEN 3 THEN 'hider' WHEN 4 THEN 'admin' ELSE 'user-' || n END,
  CASE n WHEN 2 THEN 'Zacharias Steady' ELSE 'Person ' || n END, now() - n % 1000 * interval '1 hour', 16, 16, n = 1 AND :users > 10000, n = 1 AND :users > 10000
FROM generate_series(1, :users) n;
SELECT setval(pg_get_serial_sequence('users', 'id'), :users);

-- section: follows
INSERT INTO follows (follower_id, followee_id, created_at)
SELECT n, 1, pg_temp.at(n, :users) FROM generate_series(2, :users) n
UNION ALL SELECT 1, n, pg_temp.at(n, :users) FROM generate_series(2, 61) n
UNION ALL SELECT n, 2, pg_temp.at(n, :users) FROM generate_series(100, 159) n
UNION ALL SELECT 2, n, pg_temp.at(n, :users) FROM generate_series(100, 159) n
UNION ALL SELECT n, 5 + (n + 7 * k * k + 11) % (:users - 5), pg_temp.at(n, :users)
  FROM generate_series(200, :users) n, generate_series(1, 15) k
ON CONFLICT DO NOTHING;
UPDATE users SET follower_count = :users - 1, following_count = 60 WHERE id = 1;
UPDATE users SET follower_count = 60, following_count = 61 WHERE id = 2;
INSERT INTO mutes SELECT 3, n, pg_temp.at(n, :users) FROM generate_series(300, :users / 4 + 300) n;
INSERT INTO blocks SELECT 3, n, pg_temp.at(n, :users) FROM generate_series(300, :users / 4 + 300) n;
INSERT INTO close_friends SELECT 3, n, pg_temp.at(n, :users) FROM generate_series(5, :users / 4 + 5) n;
-- Many have some of each, so that statistics do not take hider for everybody.
INSERT INTO mutes SELECT n, n - k, pg_temp.at(n, :users) FROM generate_series(1000, :users) n, generate_series(1, 2) k;
INSERT INTO blocks SELECT n, n - k, pg_temp.at(n, :users) FROM generate_series(1000, :users) n, generate_series(5, 6) k;
INSERT INTO close_friends SELECT n, n - k, pg_temp.at(n, :users) FROM generate_series(1000, :users) n, generate_series(1, 2) k;
INSERT INTO affinities SELECT n, 5 + (n + 7) % (:users - 5), 1, now() FROM generate_series(200, :users) n;

-- section: posts
INSERT INTO posts (post_id, author_id, content, position, version, created_at, like_count, comment_count)
SELECT pg_temp.id_of('post', n, pg_temp.at(n, 5 * :users)), CASE WHEN n % 10 = 0 THEN 1 ELSE 5 + (n * 7) % (:users - 5) END,
  rpad('Post ' || n || ' ', 180, md5(n::text)), n, n, pg_temp.at(n, 5 * :users), n % 50, n % 7
FROM generate_series(1, 5 * :users) n
UNION ALL
SELECT pg_temp.id_of('steady', n, pg_temp.at(n, 60)), 2, 'Steady ' || n, n, n, pg_temp.at(n, 60), 0, 0
FROM generate_series(1, 60) n;
-- The newest of each of the two: one that everybody reacted to, commented on and many shared, and one with sixty of each.
CREATE TEMPORARY TABLE two AS
SELECT (SELECT post_id FROM posts WHERE author_id = 1 ORDER BY created_at DESC LIMIT 1) AS hot,
  (SELECT post_id FROM posts WHERE author_id = 2 ORDER BY created_at DESC LIMIT 1) AS steady;
INSERT INTO reactions (post_id, user_id, kind, created_at)
SELECT hot, n, 'LIKE', now() - n * interval '1 ms' FROM two, generate_series(5, :users) n
UNION ALL SELECT steady, n, 'LIKE', now() - n * interval '1 ms' FROM two, generate_series(5, 64) n;
INSERT INTO comments (comment_id, post_id, author_id, content, created_at)
SELECT pg_temp.id_of('comment', n, now()), hot, n, 'Comment ' || n, now() - n * interval '1 ms' FROM two, generate_series(5, :users) n
UNION ALL SELECT pg_temp.id_of('steady', n, now()), steady, n, 'Comment ' || n, now() - n * interval '1 ms' FROM two, generate_series(5, 64) n;
UPDATE posts SET like_count = :users - 4, comment_count = :users - 4 FROM two WHERE post_id = hot;
UPDATE posts SET like_count = 60, comment_count = 60 FROM two WHERE post_id = steady;
-- What is new is looked at by many, what is old by few; the newest 100,000 signals, which ranking learns from, are of 2,000 posts.
INSERT INTO signals (user_id, author_id, post_id, kind, at)
SELECT 5 + (p.position * 3 + k) % (:users - 5), p.author_id, p.post_id, CASE WHEN k % 4 = 0 THEN 'CLICK' ELSE 'IMPRESSION' END, p.created_at
FROM (SELECT *, row_number() OVER (ORDER BY created_at DESC) AS age FROM posts WHERE author_id > 4) AS p,
  generate_series(1, CASE WHEN age <= 2000 THEN 50 ELSE 1 END) AS k;
-- An hour's worth of old ones: what is older was forgotten.
INSERT INTO fanouts (post_id, author, position, online_done, followers, created_at, touched_at, completed_at)
SELECT post_id, 'user-' || author_id, position, true, 16, created_at, created_at, created_at FROM posts
WHERE author_id > 4 AND (created_at > now() - interval '1 day' OR position % :users < 100);

-- section: events
INSERT INTO events (global_position, stream_id, stream_position, event_type, data, metadata, created_at)
SELECT n, 'Account-' || a, p, CASE p WHEN 0 THEN 'AccountCreated' ELSE 'MoneyDeposited' END,
  CASE p WHEN 0 THEN jsonb_build_object('accountId', a, 'ownerId', CASE a WHEN 'hot' THEN 'hot' WHEN 'steady' THEN 'steady' ELSE 'user-' || n / 10 END, 'currency', 'USD', 'version', 1)
  ELSE jsonb_build_object('amount', '1.00', 'currency', 'USD', 'description', NULL, 'version', 1) END,
  jsonb_build_object('correlationId', CASE WHEN n % 2 = 0 THEN 'hot-story' ELSE 'story-' || n / 10 END, 'userId', 'user-' || n / 10), pg_temp.at(n, 10 * :users)
FROM (
  SELECT n, CASE WHEN n % 10 = 9 THEN 'hot' WHEN n / 10 = 3 THEN 'steady' ELSE 'account-' || n / 10 END AS a, CASE WHEN n % 10 = 9 THEN n / 10 ELSE n % 10 - (n < 10)::int END AS p
  FROM generate_series(2, 10 * :users - 1) n) AS e;
INSERT INTO events (global_position, stream_id, stream_position, event_type, data, metadata, created_at)
VALUES (1, 'Customer-customer-4', 0, 'CustomerRegistered', '{"customerId": "customer-4", "userId": "hot", "firstName": "First", "lastName": "Last", "email": "c4@example.com", "creditLimit": "1000.00", "version": 2}',
  '{"correlationId": "story-0", "userId": "hot"}', pg_temp.at(1, 10 * :users));
INSERT INTO projectors (projector_name) VALUES ('orders');
INSERT INTO projector_positions (projector_name, position) VALUES ('orders', 10 * :users - 1);
-- As the product keeps them: of every stream with more than a hundred events.
INSERT INTO snapshots (stream_id, stream_position, data, state_version)
SELECT 'Account-hot', p, jsonb_build_object('status', 'ACTIVE', 'ownerId', 'hot', 'currency', 'USD', 'balance', (p * 100)::text), 1
FROM (SELECT (:users - 1) / 100 * 100 AS p) AS newest;
INSERT INTO accounts (account_id, owner_id, status, currency, balance, version, last_event_position)
SELECT 'account-' || n, CASE WHEN n % 4 = 0 THEN 'hot' ELSE 'user-' || n END, 'ACTIVE', 'USD', 800, 8, n * 10 + 8 FROM generate_series(4, :users - 1) n
UNION ALL SELECT 'hot', 'hot', 'ACTIVE', 'USD', (:users - 1) * 100, :users - 1, 10 * :users - 1
UNION ALL SELECT 'steady', 'steady', 'ACTIVE', 'USD', 800, 8, 38;
INSERT INTO account_transactions (account_id, version, date, description, amount)
SELECT 'hot', n, pg_temp.at(n, :users), 'Deposit', 100 FROM generate_series(1, :users - 1) n
UNION ALL SELECT 'steady', n, pg_temp.at(n, 8), 'Deposit', 100 FROM generate_series(1, 8) n;
INSERT INTO customers (customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version, last_event_position)
SELECT 'customer-' || n, CASE WHEN n % 4 = 0 THEN 'hot' WHEN n = 1 THEN 'steady' ELSE 'user-' || n END, 'First', 'Last', 'c' || n || '@example.com', true, 1000, 0, 1, n FROM generate_series(1, :users) n;
INSERT INTO customer_credit (customer_id, user_id, credit_limit) SELECT customer_id, user_id, CASE user_id WHEN 'hot' THEN 0 ELSE 100000 END FROM customers;
INSERT INTO customer_credit_totals (user_id, credit_limits) SELECT user_id, sum(credit_limit) FROM customer_credit GROUP BY user_id;
INSERT INTO products (product_id, name, unit_price, on_hand, reserved, version, last_event_position)
SELECT 'product-' || n, 'Product ' || n, 1, 1000, 0, 1, n FROM generate_series(1, :users) n;
INSERT INTO product_stock SELECT product_id, name, 100, 1000, 0 FROM products;
INSERT INTO orders (order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address, placed_at, version, last_event_position)
SELECT 'order-' || n, CASE WHEN n % 4 = 0 THEN 'customer-4' ELSE 'customer-' || n % :users + 1 END, CASE WHEN n % 4 = 0 THEN 'hot' WHEN n <= 60 THEN 'steady' ELSE 'user-' || n END, 'Name', 'a@example.com', 'CONFIRMED', '[]', 1, 'Street 1', pg_temp.at(n, :users), 1, n
FROM generate_series(1, :users) n;
INSERT INTO commands (command_id, body_hash, result, created_at)
SELECT 'command-' || n, sha256('x'), '{}', now() - interval '1 hour' FROM generate_series(1, :users) n;

-- section: deliveries
SELECT ensure_delivery_event_partitions((now() - interval '26 days')::date, 28);
INSERT INTO user_notification_settings (user_id, email, phone) SELECT user_id, user_id || '@example.com', '+15550100000' FROM users;
INSERT INTO user_attribute_types (name, type, created_by) VALUES ('tier', 'string', 'admin'), ('score', 'number', 'admin');
INSERT INTO user_attributes (user_id, attributes)
SELECT user_id, jsonb_build_object('tier', CASE WHEN id % :users < 60 THEN 'steady' ELSE 'hot' END, 'score', id % 100) FROM users;
INSERT INTO user_devices (user_id, device_id, platform, device_token) SELECT user_id, 'phone', 'ios', md5(user_id) || md5('x' || user_id) FROM users;
INSERT INTO notification_templates (template_id, notification_type, channel, title, body, created_by)
SELECT 'hot.push.en', 'HOT', 'push', 'Title', 'Body', 'admin' UNION ALL SELECT 'hot.in_app.en', 'HOT', 'in_app', 'Title', 'Body', 'admin'
UNION ALL SELECT 'rare.push.en', 'RARE', 'push', 'Title', 'Body', 'admin' UNION ALL SELECT 'liked.push.en', 'POST_LIKED', 'push', '{{actors}}', 'Body', 'admin';
CREATE TEMPORARY TABLE sent AS
SELECT n, pg_temp.id_of('request', n, at) AS request_id, pg_temp.id_of('delivery', n, at) AS delivery_id, at,
  CASE WHEN n <= 60 THEN 'steady' WHEN n % 5 < 2 THEN 'hot' ELSE 'user-' || 5 + n % (:users - 5) END AS user_id,
  CASE WHEN n <= 60 THEN 'RARE' ELSE 'HOT' END AS type, CASE WHEN n <= 60 THEN 'quiet' ELSE 'shop' END AS producer,
  -- Those that were read know it: else each look at an inbox would tell them, and whatever is measured then would touch their blocks.
  CASE WHEN n % 50 = 49 THEN 'DEAD' WHEN n % 100 = 98 THEN 'SCHEDULED' WHEN n % 2 = 0 THEN 'OPENED' ELSE 'DELIVERED' END AS status
FROM generate_series(1, 5 * :users / 2) n, LATERAL (SELECT pg_temp.at(n, 5 * :users / 2) AS at) t;
INSERT INTO notification_ids (producer, notification_id, request_id, body_hash, response, first_seen)
SELECT producer, 'sent-' || n, request_id, sha256('x'), jsonb_build_object('requestId', request_id, 'status', 'accepted', 'notificationsQueued', 1), now() FROM sent;
INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, last_event, created_at)
SELECT request_id, producer, 'sent-' || n, type, 'medium', lower(type) || '.push.en', 'sent-' || n, 6, at FROM sent;
INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority, status, max_retries, rendered_content, due_at, created_at)
SELECT delivery_id, request_id, 'sent-' || n, producer, user_id, type, 'push', 'medium', status, 5, jsonb_build_object('title', 'Title', 'body', 'Body'),
  CASE WHEN status = 'SCHEDULED' THEN now() + interval '1 day' END, at FROM sent;
-- No trigger fires here.
INSERT INTO pending_deliveries (delivery_id, user_id, channel, priority, status, sequence, due_at, is_repeat)
SELECT delivery_id, user_id, channel, priority, status, sequence, due_at, false FROM deliveries WHERE status = 'SCHEDULED';
INSERT INTO digest_items (delivery_id, digest_id, due_at)
SELECT pg_temp.id_of('digested', n, now()), 'digest-' || n / 3, now() + interval '1 day' + n / 3 * interval '1 ms' FROM generate_series(1, :users) n;
INSERT INTO notification_schedules (series_id, producer, schedule_id, rrule, timezone, starts_at, request, status, next_at, due_at, correlation_id,
  created_at, body_hash, ended_at)
SELECT pg_temp.id_of('series', n, pg_temp.at(n, :users)), CASE WHEN n <= 60 THEN 'quiet' WHEN n % 5 < 2 THEN 'shop' ELSE 'user-' || n END, 'series-' || n,
  'FREQ=DAILY', 'UTC', now(), '{}', CASE WHEN n % 10 = 0 THEN 'ACTIVE' ELSE 'COMPLETED' END, now() + interval '1 day',
  CASE WHEN n % 10 = 0 THEN now() + interval '1 day' END, 'series', pg_temp.at(n, :users), '',
  CASE WHEN n % 10 <> 0 THEN pg_temp.at(n, :users) END FROM generate_series(1, :users) n;
-- The last are queued once more.
INSERT INTO delivery_search_documents (delivery_id, created_at, position, terms)
SELECT delivery_id, at, n, array_to_tsvector(ARRAY(SELECT lpad(to_hex(n >> 12), 8, '0') || term FROM unnest(ARRAY[
  '', 'u' || user_id, 'cpush', 't' || type, 'p' || producer, 'wtitle', 'wbody', 'wparcel' || n]) AS term)) FROM sent;
INSERT INTO delivery_search_blocks (block, first_at, last_at) SELECT n >> 12, min(at), max(at) FROM sent GROUP BY 1;
SELECT setval('delivery_search_positions', 5 * :users);
INSERT INTO delivery_search_queue (delivery_ids) SELECT array_agg(delivery_id ORDER BY n) FROM sent WHERE n > 5 * :users / 2 - 500;
INSERT INTO target_outcomes (delivery_id, target, provider_id, updated_at) SELECT delivery_id, 'phone', md5(n::text), at FROM sent;
INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at)
SELECT request_id, k, delivery_id, (ARRAY['CREATED', 'VALIDATED', 'RENDERED', 'QUEUED', 'SENT', 'DELIVERED'])[k], 'QUEUED', at FROM sent, generate_series(1, 6) k;
INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
SELECT delivery_id, 'sent-' || n, user_id, 'push', 'gone', 5, at, at FROM sent WHERE status = 'DEAD';
INSERT INTO address_suppressions (suppression_id, channel, address, cause, created_at, removed_at)
SELECT pg_temp.id_of('suppression', n, pg_temp.at(n, :users)), CASE WHEN n % 10 = 0 THEN 'sms' ELSE 'email' END, 'bounced-' || n || '@example.com',
  'HARD_BOUNCE', pg_temp.at(n, :users), CASE WHEN n % 4 = 0 THEN pg_temp.at(n, :users) END FROM generate_series(1, :users) n;
INSERT INTO soft_bounces (channel, address, delivery_id, at)
SELECT 'email', 'full-' || n % 1000 || '@example.com', pg_temp.id_of('bounce', n, now()), pg_temp.at(n, :users) FROM generate_series(1, :users) n;
INSERT INTO inbox_entries (item_id, user_id, notification_type, title, body, created_at, read_at, change)
SELECT delivery_id, user_id, type, 'Title', 'Body', at, CASE WHEN n % 2 = 0 THEN at END, n FROM sent;
INSERT INTO inboxes (user_id, last_change) SELECT user_id, max(n) FROM sent GROUP BY user_id;
CREATE TEMPORARY TABLE grouped AS
SELECT n, pg_temp.id_of('group', n, now()) AS group_id, CASE n WHEN 1 THEN 'hot' ELSE 'user-' || n END AS user_id,
  now() - n % 100 * interval '10 minutes' + interval '11 hours' AS closes_at, CASE n WHEN 1 THEN :users ELSE 3 END AS people
FROM generate_series(1, :users) n;
INSERT INTO open_notification_groups (user_id, producer, notification_type, group_key, group_id, opened_at, closes_at)
SELECT user_id, 'feed', 'POST_LIKED', 'post', group_id, closes_at - interval '12 hours', closes_at FROM grouped;
INSERT INTO notification_groups (group_id, closes_at, actor_count, last_nth) SELECT group_id, closes_at, people, people FROM grouped;
INSERT INTO notification_group_actors (group_id, actor_id, actor_name, nth, affirmed_at)
SELECT group_id, 'user-' || k, 'Person ' || k, k, now() FROM grouped, generate_series(1, people) k;
INSERT INTO notification_rollups (seconds, starts_at, channel, priority, notification_type, template_id, created, sent)
SELECT 60, date_trunc('minute', now()) - n * interval '1 minute', 'push', 'medium', 'HOT', 'hot.push.en', 1, 1 FROM generate_series(10, least(:users, 43200)) n;
INSERT INTO alerts (alert_id, name, severity, message, value, threshold, raised_at, resolved_at, change)
SELECT pg_temp.id_of('alert', n, now()), 'failure-rate', 'WARNING', 'Much failed', 1, 1, pg_temp.at(n, :users), pg_temp.at(n, :users), n FROM generate_series(1, :users) n;
SELECT setval(pg_get_serial_sequence('deliveries', 'sequence'), 5 * :users);
-- Campaigns that are over: one of many pages, and many of one.
INSERT INTO campaigns (campaign_id, producer, batch_id, body_hash, template_id, type, priority, filter, rate_per_second, rate_raised, status,
  correlation_id, created_at, started_at, completed_at)
SELECT pg_temp.id_of('campaign', n, at), CASE n % 2 WHEN 0 THEN 'shop' ELSE 'admin' END, 'batch-' || n, sha256('x'), 'hot.push.en', 'HOT', 'low',
  'plan = "pro"', 500, false, 'COMPLETED', 'batch-' || n, at, at, at
FROM generate_series(1, :users / 10) n, LATERAL (SELECT pg_temp.at(n, :users / 10) AS at) t;
-- And those that wait for their time.
INSERT INTO campaigns (campaign_id, producer, batch_id, body_hash, template_id, type, priority, filter, rate_per_second, rate_raised, status,
  correlation_id, created_at, schedule_at)
SELECT pg_temp.id_of('scheduled', n, at), 'producer-' || n, 'scheduled-' || n, sha256('x'), 'hot.push.en', 'HOT', 'low', 'plan = "pro"', 500, false,
  'SCHEDULED', 'scheduled-' || n, at, now() + n * interval '1 hour'
FROM generate_series(1, :users / 10) n, LATERAL (SELECT pg_temp.at(n, :users / 10) AS at) t;
INSERT INTO campaign_pages (campaign_id, page, request_id, after, matched, queued, suppressed, created_at)
SELECT campaign_id, p, pg_temp.id_of(batch_id, p, created_at), 'user-' || p, p, p, 0, created_at
FROM campaigns, generate_series(1, CASE batch_id WHEN 'batch-1' THEN :users / 2 ELSE 1 END) p WHERE status = 'COMPLETED';
INSERT INTO campaign_rollups (campaign_id, starts_at, channel, created, sent)
SELECT campaign_id, date_trunc('minute', now()) - n * interval '1 minute', 'push', 1, 1 FROM campaigns, generate_series(10, 100) n
WHERE batch_id IN ('batch-1', 'batch-2');

-- section: API keys
INSERT INTO api_keys (api_key_id, hash, user_id, roles, plan, created_at, revoked_at)
SELECT lpad(n::text, 16, '0'), repeat('0', 64), CASE WHEN n % 4 = 0 THEN 'hot' ELSE 'user-' || n END, '{user}', 'free', pg_temp.at(n, :users),
  CASE WHEN n % 2 = 0 THEN pg_temp.at(n, :users) END FROM generate_series(0, :users) n;

-- section: webhooks
-- Five are active at any size: three of hot's, one of steady's and one of an admin's. Those of others are switched off.
INSERT INTO webhooks (webhook_id, owner_id, url, event_types, follows_lifecycle, follows_log, secret, is_active, active_since, created_at)
SELECT pg_temp.id_of('webhook', n, at), CASE WHEN n <= 3 THEN 'hot' WHEN n = 4 THEN 'steady' WHEN n = 5 THEN 'admin' ELSE 'user-' || n END,
  'https://example.com/' || n, CASE n WHEN 5 THEN '{OrderPlaced}' ELSE '{DELIVERED,FAILED}' END::text[], n <> 5, n = 5, 'x', n <= 5, at, at
FROM generate_series(1, :users / 10) n, LATERAL (SELECT pg_temp.at(n, :users / 10) AS at) t;
INSERT INTO webhook_deliveries (delivery_id, webhook_id, subject, number, event_type, data, happened_at, status, attempts, created_at)
SELECT pg_temp.id_of('webhook delivery', n, at), w.webhook_id, n::text, 1, 'DELIVERED', '{}'::jsonb, at, CASE WHEN n % 5 = 0 THEN 'FAILED' ELSE 'DELIVERED' END, 1, at
FROM generate_series(1, 5 * :users) n, LATERAL (SELECT pg_temp.at(n, 5 * :users) AS at) t,
  (SELECT webhook_id FROM webhooks WHERE owner_id = 'hot' ORDER BY created_at LIMIT 1) w
UNION ALL
SELECT pg_temp.id_of('steady webhook delivery', n, at), w.webhook_id, n::text, 1, 'DELIVERED', '{}'::jsonb, at, CASE WHEN n % 5 = 0 THEN 'FAILED' ELSE 'DELIVERED' END, 1, at
FROM generate_series(1, 60) n, LATERAL (SELECT pg_temp.at(n, 60) AS at) t, (SELECT webhook_id FROM webhooks WHERE owner_id = 'steady') w;
INSERT INTO webhook_backlogs (webhook_id, subject, due_at, attempts, failing_since)
SELECT webhook_id, subject, created_at, 1, created_at FROM webhook_deliveries WHERE status = 'FAILED';
