-- A row or two of every table that came between the two starts, and of every partition.
CREATE FUNCTION pg_temp.later(n int) RETURNS uuid LANGUAGE sql AS $$
  SELECT (lpad(to_hex((extract(epoch FROM '2099-01-01T00:00:00Z'::timestamptz) * 1000)::bigint), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid
$$;

INSERT INTO replay_snapshots VALUES ('Account-acc-ann', 'account', 1, '2026-11-01T08:03:00Z', 1, 2, '{"balance": "10000"}', '2026-11-03T08:00:00Z');
INSERT INTO follow_counts VALUES (1, 3, 5, 4);
UPDATE customer_credit SET turn = 4, outstanding = 20 WHERE customer_id = 'c-ben';
UPDATE product_stock SET turn = 7, reserved = 5 WHERE product_id = 'p-tea';
SELECT setval('redis_uses', 17);
-- The first is archived; the archive of the second was begun.
INSERT INTO event_partitions (from_position, until_position, indexed_stream, indexed_events, sealed_at, archive_manifest, archived_at, archived_bytes) VALUES
  (-99, -49, 'Account-old', 50, '2026-10-01T08:00:00Z', 'events/-99/manifest.json', '2026-10-02T08:00:00Z', 900),
  (-49, 1, 'Account-old', 50, '2026-10-03T08:00:00Z', NULL, NULL, NULL);
INSERT INTO stream_partitions VALUES ('Account-old', -99, -49, 0, 49), ('Account-old', -49, 1, 50, 99), ('account-other', -49, 1, 0, 0);
INSERT INTO event_archive_chunks (from_position, sorted_by, number, object_key, sha256, bytes, events, first_position, first_stream, first_place,
  last_position, last_stream, last_place, first_created_at, verified_at)
SELECT from_position, sorted_by, 0, 'events/' || from_position || '/' || sorted_by, sha256('lines'), 450, 50, from_position, 'Account-old', 0, from_position + 49, 'Account-old', 49,
  '2026-09-01T08:00:00Z', CASE from_position WHEN -99 THEN '2026-10-02T07:00:00Z'::timestamptz END
FROM unnest(ARRAY[-99, -49]) AS from_position, unnest(ARRAY['position', 'stream']) AS sorted_by;

-- Of a clock that was ahead: in the partitions of what has no other.
INSERT INTO inbox_entries VALUES (pg_temp.later(1), 'ann', 'ORDER_SHIPPED', NULL, 'On its way', NULL, NULL, '2099-01-01T00:00:00Z', NULL, NULL, 3);
INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, last_event, last_event_at, created_at)
VALUES (pg_temp.later(1), 'shop', 'order-later', 'ORDER_SHIPPED', 'high', 'shipped.push.en.2', 'request-later', 1, '2099-01-01T00:00:01Z', '2099-01-01T00:00:00Z');
INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority, status, max_retries, rendered_content, queued_at, created_at)
VALUES (pg_temp.later(2), pg_temp.later(1), 'order-later', 'shop', 'ann', 'ORDER_SHIPPED', 'push', 'high', 'QUEUED', 5, '{"body": "On its way"}', '2099-01-01T00:00:00Z', '2099-01-01T00:00:00Z');
INSERT INTO target_outcomes VALUES (pg_temp.later(2), 'phone', NULL, 'provider-later', '2099-01-01T00:00:02Z');
