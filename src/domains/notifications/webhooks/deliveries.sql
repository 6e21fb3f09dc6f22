-- part: delivery
delivery_id AS "deliveryId", event_type AS "eventType", status, attempts, last_status_code AS "lastStatusCode", last_answer AS "lastAnswer",
  last_error AS "lastError", created_at AS "createdAt", delivered_at AS "deliveredAt", next_attempt_at AS "nextAttemptAt"

-- name: forward
-- A webhook's deliveries, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and delivery, $3 at most so many, $4 webhook
-- type: status = import('./webhook.js').WebhookDeliveryStatus
SELECT {delivery} FROM webhook_deliveries
WHERE webhook_id = $4 AND (created_at, delivery_id) < ($1::timestamptz, $2::uuid)
ORDER BY created_at DESC, delivery_id DESC
LIMIT $3;

-- name: backward
-- The same, newer than the cursor, the nearest first.
-- type: status = import('./webhook.js').WebhookDeliveryStatus
SELECT {delivery} FROM webhook_deliveries
WHERE webhook_id = $4 AND (created_at, delivery_id) > ($1::timestamptz, $2::uuid)
ORDER BY created_at, delivery_id
LIMIT $3;

-- name: failedForward
-- Those alone whose last attempt failed.
-- type: status = import('./webhook.js').WebhookDeliveryStatus
SELECT {delivery} FROM webhook_deliveries
WHERE webhook_id = $4 AND status = 'FAILED' AND (created_at, delivery_id) < ($1::timestamptz, $2::uuid)
ORDER BY created_at DESC, delivery_id DESC
LIMIT $3;

-- name: failedBackward
-- type: status = import('./webhook.js').WebhookDeliveryStatus
SELECT {delivery} FROM webhook_deliveries
WHERE webhook_id = $4 AND status = 'FAILED' AND (created_at, delivery_id) > ($1::timestamptz, $2::uuid)
ORDER BY created_at, delivery_id
LIMIT $3;

-- name: replayOne
-- Queues a delivery again.
-- In: $1 webhook, $2 delivery
-- Out: a row, if there is such a delivery
WITH again AS (
  UPDATE webhook_deliveries SET status = 'PENDING', next_attempt_at = NULL
  WHERE delivery_id = $2 AND webhook_id = $1
  RETURNING webhook_id, subject
)
INSERT INTO webhook_backlogs AS b (webhook_id, subject, due_at)
SELECT webhook_id, subject, now() FROM again
ON CONFLICT (webhook_id, subject) DO UPDATE
  SET additions = b.additions + 1, due_at = CASE WHEN b.lease_token IS NULL THEN now() ELSE b.due_at END
RETURNING subject;

-- name: replayPage
-- Queues the next deliveries of a webhook again, in the order of when they were made.
-- In: $1 webhook, $2 and $3 the instant and the delivery to go on after, $4 until this instant, $5 at most so many
-- Out: how many, and the last one's instant and id
-- not null: count
WITH chosen AS MATERIALIZED (
  SELECT delivery_id, subject, created_at FROM webhook_deliveries
  WHERE webhook_id = $1 AND (created_at, delivery_id) > ($2::timestamptz, $3::uuid) AND created_at <= $4
  ORDER BY created_at, delivery_id
  LIMIT $5
), held AS MATERIALIZED (
  SELECT delivery_id FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM chosen))
  ORDER BY delivery_id FOR UPDATE
), again AS (
  UPDATE webhook_deliveries SET status = 'PENDING', next_attempt_at = NULL
  WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM held))
  RETURNING subject
), queued AS (
  INSERT INTO webhook_backlogs AS b (webhook_id, subject, due_at)
  SELECT $1, a.subject, now() FROM (SELECT DISTINCT subject FROM again) AS a ORDER BY a.subject
  ON CONFLICT (webhook_id, subject) DO UPDATE
    SET additions = b.additions + 1, due_at = CASE WHEN b.lease_token IS NULL THEN now() ELSE b.due_at END
)
SELECT (SELECT count(*)::int FROM chosen) AS count,
  (SELECT created_at FROM chosen ORDER BY created_at DESC, delivery_id DESC LIMIT 1) AS "lastAt",
  (SELECT delivery_id FROM chosen ORDER BY created_at DESC, delivery_id DESC LIMIT 1) AS "lastId";

-- name: madeNext
-- In: $1 webhook, $2 after this instant, $3 until this one
-- Out: when the next of its deliveries was made
SELECT created_at AS "createdAt" FROM webhook_deliveries
WHERE webhook_id = $1 AND created_at > $2::timestamptz AND created_at <= $3
ORDER BY created_at, delivery_id
LIMIT 1;
