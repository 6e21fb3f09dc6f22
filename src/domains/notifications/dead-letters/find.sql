-- part: failed
delivery_id AS "deliveryId", notification_id AS "notificationId", user_id AS "userId", channel, error, attempts, created_at AS "createdAt",
  failed_at AS "failedAt", settled_at AS "settledAt"

-- name: openForward
-- Open dead letters, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and delivery, $3 at most so many
-- type: channel = import('../channels.js').Channel
SELECT {failed} FROM failed_notifications
WHERE settled_at IS NULL AND (failed_at, delivery_id) < ($1::timestamptz, $2::uuid)
ORDER BY failed_at DESC, delivery_id DESC
LIMIT $3;

-- name: openBackward
-- The same, newer than the cursor, the nearest first.
-- type: channel = import('../channels.js').Channel
SELECT {failed} FROM failed_notifications
WHERE settled_at IS NULL AND (failed_at, delivery_id) > ($1::timestamptz, $2::uuid)
ORDER BY failed_at, delivery_id
LIMIT $3;

-- name: openOfChannelForward
-- A channel's, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and delivery, $3 at most so many, $4 channel
-- type: channel = import('../channels.js').Channel
SELECT {failed} FROM failed_notifications
WHERE settled_at IS NULL AND channel = $4 AND (failed_at, delivery_id) < ($1::timestamptz, $2::uuid)
ORDER BY failed_at DESC, delivery_id DESC
LIMIT $3;

-- name: openOfChannelBackward
-- The same, newer than the cursor, the nearest first.
-- type: channel = import('../channels.js').Channel
SELECT {failed} FROM failed_notifications
WHERE settled_at IS NULL AND channel = $4 AND (failed_at, delivery_id) > ($1::timestamptz, $2::uuid)
ORDER BY failed_at, delivery_id
LIMIT $3;

-- name: open
-- To be counted.
SELECT FROM failed_notifications WHERE settled_at IS NULL;

-- name: openOfChannel
-- To be counted.
-- In: $1 channel
SELECT FROM failed_notifications WHERE settled_at IS NULL AND channel = $1;

-- name: failedById
-- Open or settled.
-- In: $1 deliveries
-- type: channel = import('../channels.js').Channel
SELECT {failed} FROM failed_notifications
WHERE delivery_id = ANY ($1::uuid[]);
