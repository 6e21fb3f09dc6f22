-- name: deadOfRequest
-- In: $1 request
SELECT delivery_id AS "deliveryId" FROM deliveries 
WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1)) AND status = 'DEAD';

-- name: lockDeliveries
-- In the order in which everybody locks several.
-- In: $1 deliveries
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
-- type: status = import('../types.js').DeliveryStatus
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId",
       notification_type AS "notificationType", producer, user_id AS "userId", channel, priority, status
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[]) AND created_at >= (SELECT uuids_earliest($1))
ORDER BY delivery_id
FOR UPDATE;

-- name: settle
-- In: $1 deliveries, $2 now, $3 a channel or NULL for any
-- Out: those whose letter was open until now
UPDATE failed_notifications SET settled_at = $2
WHERE delivery_id = ANY ($1::uuid[]) AND settled_at IS NULL AND ($3::text IS NULL OR channel = $3)
RETURNING delivery_id AS "deliveryId";

-- name: forgetFailures
-- A claim leaves out targets that are finished with: those that failed for good get another chance.
-- In: $1 deliveries
DELETE FROM target_outcomes
WHERE delivery_id = ANY ($1::uuid[]) AND updated_at >= (SELECT uuids_earliest($1)) AND error IS NOT NULL;
