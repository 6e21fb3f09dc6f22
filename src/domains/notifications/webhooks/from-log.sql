-- name: wantedTypes
-- The types of events of the log that an active webhook wants.
-- not null: type
SELECT DISTINCT unnest(event_types) AS type FROM webhooks WHERE is_active AND follows_log AND deleted_at IS NULL;

-- name: queue
-- Queues events of the log for the webhooks that want them: see queue_webhook_events().
-- In: arrays of one length, in the log's order: $1 positions, $2 streams, $3 types, $4 data, $5 instants
WITH added AS (
  INSERT INTO webhook_deliveries (delivery_id, webhook_id, subject, number, event_type, data, happened_at, created_at)
  SELECT new_uuid_v7_in_order(now(), row_number() OVER (ORDER BY e.position)), w.webhook_id, e.stream, e.position, e.type,
         e.data, e.at, now()
  FROM webhooks w
  JOIN unnest($1::bigint[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[]) AS e (position, stream, type, data, at)
    ON e.type = ANY (w.event_types)
  WHERE w.is_active AND w.follows_log AND w.deleted_at IS NULL
  RETURNING webhook_id, subject
)
INSERT INTO webhook_backlogs AS b (webhook_id, subject, due_at)
SELECT a.webhook_id, a.subject, clock_timestamp()
FROM (SELECT DISTINCT webhook_id, subject FROM added) AS a
ORDER BY a.subject, a.webhook_id
ON CONFLICT (webhook_id, subject) DO UPDATE SET additions = b.additions + 1;
