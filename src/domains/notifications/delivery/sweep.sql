-- name: requeueOverdue
-- Puts deliveries whose retry is due, but whose job was lost, back into their mailboxes.
-- In: $1 overdue since before this instant, $2 at most so many
UPDATE deliveries SET status = 'QUEUED', next_retry_at = NULL
WHERE delivery_id IN (
  SELECT delivery_id FROM deliveries
  WHERE status = 'RETRYING' AND next_retry_at < $1
  ORDER BY next_retry_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED)
RETURNING user_id AS "userId", channel, priority;

-- name: silentMailboxes
-- Mailboxes of a priority whose head waits for longer than its queue's doorbells do, and that nobody works on.
-- In: $1 priority, $2 user and $3 channel to go on after, $4 channels and $5 since before which instant a delivery of
--     each must wait (two arrays of one length), $6 at most so many
SELECT d.user_id AS "userId", d.channel, d.priority
FROM deliveries d JOIN unnest($4::text[], $5::timestamptz[]) AS q (channel, before) ON q.channel = d.channel
WHERE d.status = 'QUEUED' AND d.priority = $1 AND (d.user_id, d.channel) > ($2, $3) AND coalesce(d.queued_at, d.created_at) < q.before
  AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp())
GROUP BY d.user_id, d.channel, d.priority
ORDER BY d.user_id, d.channel
LIMIT $6;

-- name: makePartitions
-- In: $1 today (UTC)
SELECT ensure_delivery_event_partitions($1::date, 2);
