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
-- Mailboxes whose head waits for longer than a doorbell takes, and that nobody works on.
-- In: $1 user, $2 channel, $3 priority to go on after, $4 waiting since before this instant, $5 at most so many
SELECT user_id AS "userId", channel, priority
FROM deliveries
WHERE status = 'QUEUED' AND (user_id, channel, priority) > ($1, $2, $3) AND created_at < $4
  AND (lease_until IS NULL OR lease_until < clock_timestamp())
GROUP BY user_id, channel, priority
ORDER BY user_id, channel, priority
LIMIT $5;

-- name: makePartitions
-- In: $1 today (UTC)
SELECT ensure_delivery_event_partitions($1::date, 2);
