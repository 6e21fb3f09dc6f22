-- name: ofUserForward
-- A user's deliveries, newest first, older than the cursor.
-- In: $1 user, $2 and $3 the cursor's instant and delivery, $4 at most so many
SELECT delivery_id AS "deliveryId"
FROM deliveries
WHERE user_id = $1 AND (created_at, delivery_id) < ($2::timestamptz, $3::uuid)
ORDER BY created_at DESC, delivery_id DESC
LIMIT $4;

-- name: ofUserBackward
-- The same, newer than the cursor, the nearest first.
SELECT delivery_id AS "deliveryId"
FROM deliveries
WHERE user_id = $1 AND (created_at, delivery_id) > ($2::timestamptz, $3::uuid)
ORDER BY created_at, delivery_id
LIMIT $4;

-- name: ofRequestForward
-- A request's deliveries, in the order in which they were accepted, after the cursor.
-- In: $1 request, $2 the cursor's sequence, $3 at most so many
SELECT delivery_id AS "deliveryId"
FROM deliveries
WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1)) AND sequence > $2::bigint
ORDER BY sequence
LIMIT $3;

-- name: ofRequestBackward
-- The same, before the cursor, the nearest first.
SELECT delivery_id AS "deliveryId"
FROM deliveries
WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1)) AND sequence < $2::bigint
ORDER BY sequence DESC
LIMIT $3;
