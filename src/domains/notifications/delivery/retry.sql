-- name: requeue
-- Puts one delivery back into its mailbox, behind what waits there, if its retry is due.
-- In: $1 delivery, $2 the instant until which retries are due
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
UPDATE deliveries SET status = 'QUEUED', next_retry_at = NULL
WHERE delivery_id = $1 AND created_at >= (SELECT uuid_earliest($1)) AND status = 'RETRYING' AND next_retry_at <= $2
RETURNING user_id AS "userId", channel, priority;
