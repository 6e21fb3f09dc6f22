-- 50,000 notifications of an earlier day, delivered: their ids are still known, and the search has them. In: nothing.
CREATE TEMPORARY TABLE earlier AS
SELECT n, gen_random_uuid() AS request_id, gen_random_uuid() AS delivery_id, 'earlier-' || n AS notification_id,
  'reader-' || n % 2000 AS user_id, 'phone-' || n % 2000 AS device_id,
  statement_timestamp() - interval '1 day' - n * interval '1 second' AS at
FROM generate_series(1, 50000) AS n;

INSERT INTO notification_ids (producer, notification_id, request_id, body_hash, response, first_seen)
SELECT 'producer-of-old', notification_id, request_id, sha256(convert_to(notification_id, 'UTF8')),
  jsonb_build_object('requestId', request_id, 'status', 'accepted', 'notificationsQueued', 1), at + interval '1 day'
FROM earlier;

INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id,
  last_event, created_at)
SELECT request_id, 'producer-of-old', notification_id, 'NEW_MESSAGE', 'medium', 'medium.push.en', notification_id, 7, at
FROM earlier;

INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
  priority, status, max_retries, rendered_content, created_at)
SELECT delivery_id, request_id, notification_id, 'producer-of-old', user_id, 'NEW_MESSAGE', 'push', 'medium',
  'DELIVERED', 5, jsonb_build_object('title', 'For ' || user_id, 'body', 'Hello ' || user_id), at
FROM earlier;

INSERT INTO delivery_targets (delivery_id, target, provider_id, updated_at)
SELECT delivery_id, device_id, gen_random_uuid()::text, at FROM earlier;

TRUNCATE delivery_search_queue;
