-- name: openSince
-- A channel's open dead letters, oldest first.
-- In: $1 channel, $2 and $3 an instant and a delivery to go on after, $4 failed until then, $5 at most so many
SELECT delivery_id AS "deliveryId", failed_at AS "failedAt"
FROM failed_notifications
WHERE settled_at IS NULL AND channel = $1 AND (failed_at, delivery_id) > ($2::timestamptz, $3::uuid) AND failed_at <= $4
ORDER BY failed_at, delivery_id
LIMIT $5;
