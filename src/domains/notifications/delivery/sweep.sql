-- name: requeueOverdue
-- Puts deliveries of a priority whose retry is due, but whose job was lost, back into their mailboxes.
-- In: $1 priority, $2 overdue since before this instant, $3 none is due before this one any more, $4 at most so many
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
UPDATE deliveries SET status = 'QUEUED', next_retry_at = NULL
FROM (
  SELECT d.delivery_id, d.created_at
  FROM pending_deliveries p JOIN deliveries d ON d.delivery_id = p.delivery_id AND d.created_at >= uuid_earliest(p.delivery_id)
  WHERE p.status = 'RETRYING' AND p.priority = $1 AND p.due_at < $2 AND p.due_at >= $3 AND d.status = 'RETRYING'
  ORDER BY p.due_at
  LIMIT $4
  FOR UPDATE OF d SKIP LOCKED
) AS due
WHERE deliveries.delivery_id = due.delivery_id AND deliveries.created_at = due.created_at
RETURNING user_id AS "userId", channel, priority;

-- name: silent
-- Deliveries of a priority that have waited longer than their queue's wake-up jobs, and that nobody works on; the oldest first.
-- In: $1 priority, $2 and $3 the instant since which a delivery waits, and its id, to go on after, $4 channels and $5 since before
--     which instant a delivery of each must wait (two arrays of one length), $6 the latest of these, $7 at most so many
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
SELECT p.delivery_id AS "deliveryId", p.due_at AS "since", p.user_id AS "userId", p.channel, p.priority
FROM pending_deliveries p JOIN unnest($4::text[], $5::timestamptz[]) AS q (channel, before) ON q.channel = p.channel
WHERE p.status = 'QUEUED' AND p.priority = $1 AND (p.due_at, p.delivery_id) > ($2::timestamptz, $3::uuid) AND p.due_at < $6
  AND p.due_at < q.before AND (p.lease_until IS NULL OR p.lease_until < clock_timestamp())
ORDER BY p.due_at, p.delivery_id
LIMIT $7;

-- name: makeDays
-- In: $1 today (UTC)
SELECT ensure_delivery_event_partitions($1::date, 2);

-- name: makeMonths
-- In: $1 a table, $2 today (UTC)
-- not null: made
SELECT ensure_month_partitions($1, $2::date, 1) AS made;
