-- 100,000 notifications of four to ten days ago, delivered, with six lifecycle events each. In: nothing.
SELECT ensure_delivery_event_partitions((now() - interval '11 days')::date, 12);

CREATE TEMPORARY TABLE old AS
SELECT n, gen_random_uuid() AS request_id, gen_random_uuid() AS delivery_id, 'old-' || n AS notification_id,
  'reader-' || n % 2000 AS user_id, 'phone-' || n % 2000 AS device_id,
  statement_timestamp() - interval '4 days' - interval '6 days' * (n / 100000.0) AS at
FROM generate_series(1, 100000) AS n;

INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id,
  last_event, created_at)
SELECT request_id, 'producer-of-old', notification_id, 'NEW_MESSAGE', 'medium', 'medium.push.en', notification_id, 6, at
FROM old;

INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
  priority, status, max_retries, rendered_content, created_at)
SELECT delivery_id, request_id, notification_id, 'producer-of-old', user_id, 'NEW_MESSAGE', 'push', 'medium',
  'DELIVERED', 5, jsonb_build_object('title', 'For ' || user_id, 'body', 'Hello ' || user_id), at
FROM old;

INSERT INTO delivery_targets (delivery_id, target, provider_id, updated_at)
SELECT delivery_id, device_id, gen_random_uuid()::text, at FROM old;

INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at)
SELECT request_id, k, delivery_id, (ARRAY['CREATED', 'VALIDATED', 'RENDERED', 'QUEUED', 'SENT', 'DELIVERED'])[k], 'DELIVERED', at
FROM old, generate_series(1, 6) AS k;
