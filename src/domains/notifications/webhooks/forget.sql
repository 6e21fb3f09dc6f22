-- name: forgetDeliveries
-- In: $1 made before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM webhook_deliveries
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_deliveries
  WHERE created_at < $1 AND created_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED));

-- name: forgetBacklogs
-- What waits for webhooks that are deleted.
-- In: $1 at most so many
DELETE FROM webhook_backlogs
WHERE ctid = ANY (ARRAY(
  SELECT b.place
  FROM (SELECT webhook_id FROM webhooks WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC) AS w
  CROSS JOIN LATERAL (
    SELECT ctid AS place FROM webhook_backlogs WHERE webhook_id = w.webhook_id LIMIT $1 FOR UPDATE SKIP LOCKED) AS b
  LIMIT $1));

-- name: forgetStaleBacklogs
-- Of webhooks that nobody has switched on again: what waited is forgotten already. A page of all webhooks is looked at.
-- In: $1 due before this instant, $2 after this webhook, $3 at most so many webhooks, and as many rows
-- Out: one row: the last webhook that was looked at (NULL: there was none), and how many were
-- not null: looked
WITH page AS (
  SELECT webhook_id, is_active, deleted_at FROM webhooks WHERE webhook_id > $2::uuid ORDER BY webhook_id LIMIT $3::int
), gone AS (
  DELETE FROM webhook_backlogs
  WHERE ctid = ANY (ARRAY(
    SELECT b.place
    FROM page AS w
    CROSS JOIN LATERAL (
      SELECT ctid AS place FROM webhook_backlogs
      WHERE webhook_id = w.webhook_id AND due_at < $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS b
    WHERE NOT w.is_active AND w.deleted_at IS NULL
    LIMIT $3))
)
SELECT (array_agg(webhook_id ORDER BY webhook_id DESC))[1] AS "lastId", count(*)::int AS looked FROM page;

-- name: forgetWebhooks
-- Those that were deleted before this instant: none of their deliveries is left.
-- In: $1 instant, $2 at most so many
DELETE FROM webhooks
WHERE webhook_id = ANY (ARRAY(
  SELECT webhook_id FROM webhooks WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED));
