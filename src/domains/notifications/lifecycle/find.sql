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
       r.template_id AS "templateId", r.producer, r.expires_at AS "expiresAt", r.created_at AS "createdAt",
       (SELECT jsonb_object_agg(c.status, c.count)
        FROM (SELECT d.status, count(*) FROM deliveries d WHERE d.request_id = r.request_id GROUP BY d.status) c) AS counts
FROM notification_requests r
WHERE r.request_id = ANY ($1::uuid[]);

-- name: deliveriesById
-- In: $1 delivery ids
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId", producer,
       user_id AS "userId", channel, priority, status, suppression, attempt, max_retries AS "maxRetries",
       last_error AS "lastError", next_retry_at AS "nextRetryAt", created_at AS "createdAt", expires_at AS "expiresAt",
       rendered_content AS content, sequence
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[]);

-- name: timelines
-- In: $1 delivery ids
SELECT delivery_id AS "deliveryId", event, at, detail
FROM delivery_events
WHERE delivery_id = ANY ($1::uuid[])
ORDER BY delivery_id, number;
