-- A row or two of every table as they were before tables were partitioned, work that waits included. In each column a value somewhere.
CREATE FUNCTION pg_temp.id(n int, at timestamptz) RETURNS uuid LANGUAGE sql AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid
$$;
CREATE FUNCTION pg_temp.post(n int) RETURNS uuid LANGUAGE sql AS $$ SELECT pg_temp.id(n, '2026-11-01T08:00:00Z') $$;
CREATE FUNCTION pg_temp.media(n int) RETURNS uuid LANGUAGE sql AS $$ SELECT pg_temp.id(n, '2026-10-30T08:00:00Z') $$;
CREATE FUNCTION pg_temp.request(n int) RETURNS uuid LANGUAGE sql AS $$ SELECT pg_temp.id(n, '2026-11-02T09:00:00Z') $$;
CREATE FUNCTION pg_temp.delivery(n int) RETURNS uuid LANGUAGE sql AS $$ SELECT pg_temp.id(n, '2026-11-02T09:00:01Z') $$;

-- The log, and what is kept beside it.
INSERT INTO events (global_position, stream_id, stream_position, event_type, data, metadata, created_at)
SELECT n, stream, place, type, data::jsonb, jsonb_build_object('correlationId', 'request-' || n, 'causationId', 'command-' || n, 'userId', 'ann'),
  '2026-11-01T08:00:00Z'::timestamptz + n * interval '1 minute'
FROM (VALUES
  (1, 'Account-acc-ann', 0, 'AccountCreated', '{"accountId": "acc-ann", "ownerId": "ann", "currency": "USD", "version": 1}'),
  (2, 'Account-acc-ann', 1, 'MoneyDeposited', '{"amount": "100.00", "currency": "USD", "description": null, "version": 1}'),
  (3, 'Account-acc-ben', 0, 'AccountCreated', '{"accountId": "acc-ben", "ownerId": "ben", "currency": "USD", "version": 1}'),
  (4, 'Transfer-t-ann', 0, 'TransferStarted', '{"transferId": "t-ann", "fromAccountId": "acc-ann", "toAccountId": "acc-ben", "ownerId": "ann",
    "amount": "40.00", "currency": "USD", "description": null, "version": 1}'),
  (5, 'User-ben', 0, 'UserFollowed', '{"followerId": "ben", "followeeId": "ann", "version": 1}'),
  (6, 'Order-o-1', 0, 'OrderShipped', '{"orderId": "o-1", "trackingNumber": "T1", "timestamp": "2026-11-01T08:06:00.000Z", "version": 1}')
) AS e (n, stream, place, type, data);
INSERT INTO commands VALUES ('ann:deposit-1', sha256('body'), '{"position": 2, "versions": {"Account-acc-ann": 1}}', '2026-11-01T08:02:00Z');
INSERT INTO snapshots VALUES ('Account-acc-ann', 1, '{"status": "ACTIVE", "balance": "10000"}', 2, '2026-11-01T08:02:00Z');
INSERT INTO projector_checkpoints (projector_name, last_position, updated_at, rebuildable) VALUES
  ('account-summary', 6, '2026-11-01T08:07:00Z', true), ('feed-notices', 5, '2026-11-01T08:06:00Z', false),
  ('order-messages', 0, '2026-11-01T08:00:00Z', false);
INSERT INTO projector_failures VALUES ('order-messages', 1, 'no such column', 3, '2026-11-01T09:00:00Z');
INSERT INTO projector_rebuilds VALUES
  ('accounts', '2026-11-01T09:00:00Z', 'root', 4, NULL, NULL),
  ('orders', '2026-11-01T07:00:00Z', 'root', 2, '2026-11-01T07:01:00Z', 'gave up');
INSERT INTO schedules (name, due_at, next_at, run_id) VALUES
  ('purge-posts', '2026-11-02T08:00:00Z', NULL, NULL),
  ('learn-ranking', '2026-11-02T08:00:10Z', '2026-11-02T08:05:00Z', pg_temp.id(1, '2026-11-02T08:00:00Z'));
INSERT INTO missed_redis_writes (id, keys, topics, xid, at, applied_at) VALUES
  (1, '{feed:ann}', '{feed.updated}', '700', '2026-11-01T08:00:00Z', '2026-11-01T08:00:05Z'), (2, '{post:1,post:2}', '{}', '701', '2026-11-02T08:00:00Z', NULL);
INSERT INTO redis_epochs (number, epoch, accepted_at, returns, uses) VALUES
  (1, 'run-1/replication', '2026-11-01T07:00:00Z', 0, 3), (2, 'run-2/replication', '2026-11-01T08:00:00Z', 1, 40);
INSERT INTO rate_limit_rules VALUES (1, '0123456789ab', 'rules: []', 'root', '2026-11-01T07:00:00Z', 'request-rules');
INSERT INTO rate_limit_sources VALUES ('0123456789ab', 1);
INSERT INTO api_keys VALUES
  ('key-1', repeat('a', 64), 'ann', '{user,producer}', 'free', '2026-11-01T07:00:00Z', NULL),
  ('key-2', repeat('b', 64), 'ben', '{user}', 'pro', '2026-10-01T07:00:00Z', '2026-11-01T07:00:00Z');

-- Commerce.
INSERT INTO accounts VALUES ('acc-ann', 'ann', 'ACTIVE', 'USD', 6000, 2, 4), ('acc-ben', 'ben', 'CLOSED', 'EUR', 0, 1, 3);
INSERT INTO account_transactions VALUES ('acc-ann', 1, '2026-11-01T08:02:00Z', 'Deposit', 10000), ('acc-ann', 2, '2026-11-01T08:04:00Z', 'Transfer', -4000);
INSERT INTO customers VALUES ('c-ann', 'ann', 'Ann', 'A', 'ann@example.com', true, 1000.00, 30.50, 4, 6);
INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit, outstanding) VALUES ('c-ann', 'ann', true, 100000, 3050), ('c-ben', 'ben', false, 0, 10);
INSERT INTO order_customers VALUES ('c-ann', 'Ann A', 'ann@example.com', 6);
INSERT INTO products VALUES ('p-tea', 'Tea', 15.25, 20, 2, 3, 6);
INSERT INTO product_stock (product_id, name, unit_price, on_hand, reserved) VALUES ('p-tea', 'Tea', 1525, 20, 2), ('p-mug', 'Mug', 800, 0, 0);
INSERT INTO orders (order_id, customer_id, customer_name, customer_email, status, items, total_amount, shipping_address, estimated_delivery,
  placed_at, tracking_number, shipped_at, cancelled_at, cancellation_reason, version, last_event_position, owner_id) VALUES
  ('o-1', 'c-ann', 'Ann A', 'ann@example.com', 'SHIPPED', '[{"productId": "p-tea", "quantity": 2}]', 30.50, 'Street 1', '2026-11-05',
   '2026-11-01T08:05:00Z', 'T1', '2026-11-01T08:06:00Z', NULL, NULL, 2, 6, 'ann'),
  ('o-2', 'c-ann', 'Ann A', 'ann@example.com', 'CANCELLED', '[]', 8.00, 'Street 1', NULL,
   '2026-11-01T07:05:00Z', NULL, NULL, '2026-11-01T07:06:00Z', 'changed their mind', 2, 5, 'ann');
INSERT INTO transfers VALUES
  ('t-ann', 'acc-ann', 'acc-ben', 'ann', '40.00', 'USD', 'rent', 'STARTED', NULL, '2026-11-01T08:04:00Z', 1, 4),
  ('t-old', 'acc-ann', 'acc-none', 'ann', '1.00', 'USD', NULL, 'REFUSED', 'ACCOUNT_NOT_FOUND', '2026-10-01T08:04:00Z', 2, 2);
-- Due, not yet due, and taken up before; of one owner, and of none that is known. More than one page of the migration that copies them.
INSERT INTO pending_transfers (transfer_id, from_account_id, owner_id, attempts, due_at) VALUES
  ('t-ann', 'acc-ann', 'ann', 0, '2026-11-01T08:04:10Z'), ('t-later', 'acc-ann', 'ann', 7, '2099-01-01T00:00:00Z'),
  ('t-other', 'acc-ann-2', 'ann', 0, '2026-11-01T08:04:20Z'), ('t-ownerless', 'acc-old', '', 1, '2026-11-01T08:04:30Z');
INSERT INTO pending_messages (stream_id, stream_position, correlation_id, attempts, due_at)
SELECT 'Order-o-' || n, n % 3, 'request-' || n, n % 5, CASE WHEN n % 2 = 0 THEN '2026-11-01T08:06:10Z'::timestamptz ELSE '2099-01-01T00:00:00Z' END
FROM generate_series(1, 2100) n;

-- The feed.
INSERT INTO users (id, user_id, display_name, avatar_url, is_verified, is_celebrity, follower_count, following_count, last_seen_at, created_at, has_pulled) VALUES
  (1, 'ann', 'Ann', 'https://example.com/ann.png', true, true, 2, 1, '2026-11-02T08:00:00Z', '2026-10-01T08:00:00Z', true),
  (2, 'ben', 'Ben', NULL, false, false, 1, 1, NULL, '2026-10-02T08:00:00Z', false),
  (3, 'cat', 'Zoe', NULL, false, false, 0, 1, '2026-11-01T08:00:00Z', '2026-10-03T08:00:00Z', false);
INSERT INTO follows VALUES (2, 1, '2026-11-01T08:05:00Z'), (3, 1, '2026-10-05T08:00:00Z'), (1, 2, '2026-10-06T08:00:00Z');
INSERT INTO mutes VALUES (1, 3, '2026-10-07T08:00:00Z');
INSERT INTO blocks VALUES (2, 3, '2026-10-08T08:00:00Z');
INSERT INTO close_friends VALUES (2, 1, '2026-10-09T08:00:00Z');
INSERT INTO feed_settings VALUES ('ann', '{spoiler}', '2026-11-01T08:00:00Z', pg_temp.post(1)), ('ben', '{}', NULL, NULL);
INSERT INTO posts (post_id, author_id, content, visibility, distribution, position, like_count, share_count, comment_count, created_at, edited_at,
  deleted_at, angry_count, fingerprint, haha_count, labels, love_count, media_ids, sad_count, shared_post_id, version, wow_count) VALUES
  (pg_temp.post(1), 1, 'Hello @ben https://example.com', 'public', 'pull', 3, 2, 1, 1, '2026-11-01T08:00:00Z', '2026-11-01T08:10:00Z', NULL,
   1, 4711, 1, '{sensitive}', 1, ARRAY[pg_temp.media(1)], 1, NULL, 5, 1),
  (pg_temp.post(2), 2, 'Shared', 'followers', 'push', 6, 0, 0, 0, '2026-11-01T08:30:00Z', NULL, NULL, 0, NULL, 0, '{}', 0, '{}', 0, pg_temp.post(1), 6, 0),
  (pg_temp.post(3), 3, '', 'private', 'push', 2, 0, 0, 0, '2026-10-01T08:30:00Z', NULL, '2026-11-02T08:00:00Z', 0, NULL, 0, '{}', 0, '{}', 0, NULL, 2, 0);
INSERT INTO post_edits VALUES (pg_temp.post(1), 3, 'Hello', '2026-11-01T08:10:00Z');
INSERT INTO mentions VALUES (pg_temp.post(1), 2, 5);
INSERT INTO link_previews (post_id, url, state, title, image_url, attempts, due_at, fetched_at, author_id) VALUES
  (pg_temp.post(1), 'https://example.com', 'waiting', NULL, NULL, 2, '2026-11-01T08:01:00Z', NULL, 1),
  (pg_temp.post(2), 'https://example.com', 'ready', 'Example', 'https://example.com/i.png', 1, '2026-10-01T08:01:00Z', '2026-10-01T08:01:01Z', NULL);
INSERT INTO media VALUES
  (pg_temp.media(1), 'ann', 'image', 'ready', 'image/png', 2048, 640, 480, 'media/1', '[{"name": "large", "width": 640}]', NULL, 1, '2026-10-30T08:00:00Z', '2026-10-30T08:00:05Z'),
  (pg_temp.media(2), 'ben', 'video', 'processing', 'video/mp4', 90000, NULL, NULL, 'media/2', '[]', NULL, 2, '2026-10-30T08:00:00Z', '2026-10-30T08:00:09Z'),
  (pg_temp.media(3), 'ben', 'image', 'failed', 'image/png', 12, NULL, NULL, 'media/3', '[]', 'UNREADABLE', 3, '2026-10-30T08:00:00Z', '2026-10-30T08:00:09Z');
INSERT INTO reactions VALUES (pg_temp.post(1), 2, 'LIKE', '2026-11-01T08:20:00Z'), (pg_temp.post(1), 3, 'LOVE', '2026-11-01T08:21:00Z');
INSERT INTO comments VALUES
  (pg_temp.id(1, '2026-11-01T08:22:00Z'), pg_temp.post(1), 2, NULL, 'Hi', '2026-11-01T08:22:00Z', NULL),
  (pg_temp.id(2, '2026-11-01T08:23:00Z'), pg_temp.post(1), 3, pg_temp.id(1, '2026-11-01T08:22:00Z'), '', '2026-11-01T08:23:00Z', '2026-11-01T08:24:00Z');
INSERT INTO post_count_deltas VALUES (1, pg_temp.post(1), 'LIKE', 1), (2, pg_temp.post(1), 'LIKE', -1), (3, pg_temp.post(2), 'comments', 2);
INSERT INTO affinities VALUES (2, 1, 0.75, '2026-11-01T08:20:00Z');
INSERT INTO signals VALUES (1, 2, 1, pg_temp.post(1), 'LIKE', '2026-11-01T08:20:00Z'), (2, 3, 1, NULL, 'PROFILE', '2026-11-01T08:21:00Z');
INSERT INTO ranking_models VALUES (1, '2026-11-01T03:00:00Z', 900, '{"bias": 0.1}');
INSERT INTO sponsored_posts VALUES (pg_temp.post(1), '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', 'root', '2026-10-31T00:00:00Z'),
  (pg_temp.post(2), '2026-11-01T00:00:00Z', NULL, 'root', '2026-10-31T00:00:00Z');
-- One that is over, one that had begun, and one that had not.
INSERT INTO fanouts (post_id, author, position, after_follower, followers, pushed, created_at, touched_at, completed_at, online_done) VALUES
  (pg_temp.post(1), 'ann', 3, 2, 2, 2, '2026-11-01T08:00:00Z', '2026-11-01T08:00:02Z', '2026-11-01T08:00:02Z', true),
  (pg_temp.post(2), 'ben', 6, 1, 1, 1, '2026-11-01T08:30:00Z', '2026-11-01T08:30:01Z', NULL, true),
  (pg_temp.post(4), 'cat', 7, 0, 0, 0, '2026-11-01T08:40:00Z', '2026-11-01T08:40:00Z', NULL, false);
INSERT INTO feed_notices (position, type, actor, subject, correlation_id, attempts, due_at)
SELECT n, 'POST_LIKED', 'ben', pg_temp.post(1)::text, 'request-' || n, n % 4, CASE WHEN n < 900 THEN '2026-11-01T08:20:00Z'::timestamptz ELSE '2099-01-01T00:00:00Z' END
FROM generate_series(1, 1100) n
UNION ALL SELECT 5, 'NEW_FOLLOWER', 'ben', 'ann', 'request-5', 0, '2026-11-01T08:05:00Z';

-- Notifications.
INSERT INTO user_notification_prefs VALUES ('ann', 'POST_LIKED', 'push', false, '2026-10-01T08:00:00Z');
INSERT INTO user_notification_settings VALUES ('ann', '22:00', '07:00', 'Europe/Vienna', 'de', false, 'daily', 'ann@example.com', '+4315550100', '2026-10-01T08:00:00Z'),
  ('ben', NULL, NULL, 'UTC', NULL, true, 'realtime', NULL, NULL, '2026-10-02T08:00:00Z');
INSERT INTO user_devices (user_id, device_id, platform, device_token, app_version, is_active, created_at, last_seen_at, auth, p256dh) VALUES
  ('ann', 'phone', 'ios', repeat('f', 64), '1.2', true, '2026-10-01T08:00:00Z', '2026-11-01T08:00:00Z', NULL, NULL),
  ('ann', 'browser', 'web', 'https://push.example.com/1', NULL, false, '2026-10-01T08:00:00Z', '2026-10-02T08:00:00Z', repeat('a', 22), repeat('b', 87));
INSERT INTO notification_templates (template_id, notification_type, channel, language, version, is_active, subject, title, body, html_body, image_url,
  action_url, variables, created_by, created_at, updated_at, push_options) VALUES
  ('shipped.email.en.1', 'ORDER_SHIPPED', 'email', 'en', 1, false, 'Shipped', NULL, 'On its way', '<p>On its way</p>', NULL, NULL, '{}', 'root', '2026-10-01T08:00:00Z', '2026-10-02T08:00:00Z', '{}'),
  ('shipped.push.en.2', 'ORDER_SHIPPED', 'push', 'en', 2, true, NULL, 'Shipped', 'On its way', NULL, 'https://example.com/i.png', 'https://example.com/o', '{"orderId": "string"}', NULL,
   '2026-10-01T08:00:00Z', '2026-10-02T08:00:00Z', '{"sound": "bell"}');
INSERT INTO notification_ids VALUES ('shop', 'order-1', pg_temp.request(1), sha256('body'), '{"status": "accepted"}', '2026-11-02T09:00:00Z');
INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, expires_at, correlation_id, last_event, created_at, schedule_at, cancelled_at)
SELECT pg_temp.request(n), 'shop', 'order-' || n, 'ORDER_SHIPPED', 'high', 'shipped.push.en.2', CASE n WHEN 2 THEN '2099-01-01T00:00:00Z'::timestamptz END, 'request-' || n, 4,
  '2026-11-02T09:00:00Z', CASE n WHEN 3 THEN '2099-01-01T00:00:00Z'::timestamptz END, CASE n WHEN 7 THEN '2026-11-02T09:05:00Z'::timestamptz END
FROM generate_series(1, 7) n;
-- One in each state: in a mailbox, leased, to be tried again, scheduled; and over.
INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority, status, suppression, attempt, max_retries,
  last_error, next_retry_at, rendered_content, recipient_address, sequence, lease_token, lease_until, created_at, expires_at, due_at, fallback_channels, fallback_for_id,
  variables, queued_at, early_reports)
SELECT pg_temp.delivery(n), pg_temp.request(least(n, 7)), 'order-' || least(n, 7), 'shop', 'ann', 'ORDER_SHIPPED', CASE n WHEN 8 THEN 'email' ELSE 'push' END, 'high', status,
  CASE status WHEN 'SUPPRESSED' THEN 'user_preference' END, CASE status WHEN 'RETRYING' THEN 2 ELSE 0 END, 5, CASE status WHEN 'RETRYING' THEN '503' END,
  CASE status WHEN 'RETRYING' THEN '2026-11-02T09:10:00Z'::timestamptz END, '{"title": "Shipped", "body": "On its way"}', CASE n WHEN 8 THEN 'ann@example.com' END, n * 10,
  CASE n WHEN 2 THEN pg_temp.id(2, '2026-11-02T09:00:02Z') END, CASE n WHEN 2 THEN '2026-11-02T09:01:00Z'::timestamptz END,
  '2026-11-02T09:00:01Z', CASE n WHEN 2 THEN '2099-01-01T00:00:00Z'::timestamptz END, CASE status WHEN 'SCHEDULED' THEN '2099-01-01T00:00:00Z'::timestamptz END,
  CASE n WHEN 1 THEN '{email,in_app}'::varchar[] ELSE '{}' END, CASE n WHEN 8 THEN pg_temp.delivery(6) END, CASE status WHEN 'SCHEDULED' THEN '{"orderId": "o-3"}'::jsonb END,
  CASE WHEN status IN ('QUEUED', 'RETRYING') THEN '2026-11-02T09:00:02Z'::timestamptz END, CASE n WHEN 5 THEN '[{"event": "DELIVERED"}]'::jsonb END
FROM (VALUES (1, 'QUEUED'), (2, 'QUEUED'), (3, 'SCHEDULED'), (4, 'RETRYING'), (5, 'SENT'), (6, 'DEAD'), (7, 'CANCELLED'), (8, 'SUPPRESSED')) AS d (n, status);
-- In mailboxes, more than one page of the migration that notes what waits.
INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority, status, max_retries, rendered_content, sequence, created_at, queued_at)
SELECT pg_temp.delivery(n), pg_temp.request(1), 'order-1', 'shop', 'user-' || n, 'ORDER_SHIPPED', 'sms', 'low', 'QUEUED', 5, '{"body": "On its way"}', n, '2026-11-02T09:00:01Z',
  '2026-11-02T09:00:02Z' FROM generate_series(1001, 3100) n;
SELECT setval('deliveries_sequence_seq', 4000), setval('users_id_seq', 3), setval('post_count_deltas_id_seq', 3), setval('signals_id_seq', 2),
  setval('ranking_models_id_seq', 1), setval('missed_redis_writes_id_seq', 2), setval('redis_epochs_number_seq', 2), setval('rate_limit_rules_sequence_seq', 1);
INSERT INTO delivery_targets VALUES
  (pg_temp.delivery(4), 'phone', '503', NULL, '2026-11-02T09:00:05Z'), (pg_temp.delivery(5), 'phone', NULL, 'provider-5', '2026-11-02T09:00:06Z');
CREATE TABLE delivery_events_20261102 PARTITION OF delivery_events FOR VALUES FROM ('2026-11-02 00:00:00+00') TO ('2026-11-03 00:00:00+00');
INSERT INTO delivery_events
SELECT pg_temp.request(least(n, 7)), n, pg_temp.delivery(n), 'CREATED', 'QUEUED', CASE n WHEN 1 THEN '{"provider": "sandbox"}'::jsonb END, '2026-11-02T09:00:01Z'::timestamptz FROM generate_series(1, 8) n
UNION ALL SELECT pg_temp.request(1), 9, pg_temp.delivery(1), 'QUEUED', 'QUEUED', NULL, '2026-11-01T09:00:02Z';
INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at, settled_at) VALUES
  (pg_temp.delivery(6), 'order-6', 'ann', 'push', 'gone', 5, '2026-11-02T09:00:01Z', '2026-11-02T10:00:00Z', NULL),
  (pg_temp.delivery(9), 'order-9', 'ben', 'sms', 'no such number', 5, '2026-10-02T09:00:01Z', '2026-10-02T10:00:00Z', '2026-10-03T10:00:00Z');
INSERT INTO inboxes VALUES ('ann', 2), ('ben', 1);
INSERT INTO inbox_items VALUES
  (pg_temp.id(1, '2026-11-01T09:00:00Z'), 'ann', 'ORDER_SHIPPED', 'Shipped', 'On its way', 'https://example.com/o', 'https://example.com/i.png', '2026-11-01T09:00:00Z', NULL, NULL, 1),
  (pg_temp.id(2, '2026-09-01T09:00:00Z'), 'ann', 'ORDER_SHIPPED', NULL, 'On its way', NULL, NULL, '2026-09-01T09:00:00Z', '2026-09-01T09:05:00Z', '2026-09-02T09:05:00Z', 2),
  (pg_temp.id(3, '2026-08-01T09:00:00Z'), 'ben', 'ORDER_SHIPPED', NULL, 'On its way', NULL, NULL, '2026-08-01T09:00:00Z', '2026-08-01T09:05:00Z', NULL, 1);
INSERT INTO alerts VALUES
  (pg_temp.id(1, '2026-11-01T10:00:00Z'), 'failure-rate', 'push', 'CRITICAL', 'Much failed', 0.5, 0.1, '2026-11-01T10:00:00Z', NULL, 2),
  (pg_temp.id(2, '2026-10-01T10:00:00Z'), 'dead-letters', '', 'WARNING', 'Some failed', 20, 10, '2026-10-01T10:00:00Z', '2026-10-01T11:00:00Z', 1);
INSERT INTO notification_rollups (seconds, starts_at, channel, priority, notification_type, template_id, created, validated, preference_checked, rendered, queued, sent, delivered,
  opened, clicked, dismissed, unsubscribed, failed, retry, dlq, expired, scheduled, suppressed, cancelled, suspected_bots, latency_buckets, latency_counts)
SELECT seconds, '2026-11-02T09:00:00Z', 'push', 'high', 'ORDER_SHIPPED', 'shipped.push.en.2', 8, 8, 8, 8, 7, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, '{3,4}', '{1,1}'
FROM unnest(ARRAY[60, 3600]) AS seconds;
UPDATE notification_rollup_state SET stream_position = '1762074000000-3', closed_until = '2026-11-02T10:00:00Z', settled_until = '2026-11-02T10:00:00Z';
