-- name: requestByName
-- The newest request under a notification id.
-- In: $1 notification id, $2 producer or NULL for anybody's
SELECT request_id AS "requestId"
FROM notification_requests
WHERE notification_id = $1 AND ($2::text IS NULL OR producer = $2)
ORDER BY created_at DESC, request_id DESC
LIMIT 1;

-- name: requestsById
-- In: $1 request ids
SELECT r.request_id AS "requestId", r.notification_id AS "notificationId", r.type, r.priority,
       r.template_id AS "templateId", r.producer, r.schedule_at AS "scheduleAt", r.expires_at AS "expiresAt",
       r.created_at AS "createdAt", request_status(r.request_id) AS status
FROM notification_requests r
WHERE r.request_id = ANY ($1::uuid[]);

-- name: deliveriesById
-- In: $1 delivery ids
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId", producer,
       user_id AS "userId", notification_type AS "notificationType", channel, priority, status, suppression, attempt, max_retries AS "maxRetries",
       last_error AS "lastError", next_retry_at AS "nextRetryAt", created_at AS "createdAt", expires_at AS "expiresAt",
       rendered_content AS content, fallback_for_id AS "fallbackForId", sequence
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[]);

-- name: timelines
-- In: $1 delivery ids
SELECT delivery_id AS "deliveryId", event, at, detail
FROM delivery_events
WHERE delivery_id = ANY ($1::uuid[])
ORDER BY delivery_id, number;
