-- name: lockDelivery
-- In: $1 delivery
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId",
  user_id AS "userId", notification_type AS "notificationType", channel, priority, status, attempt,
  max_retries AS "maxRetries", rendered_content AS content, created_at AS "createdAt", expires_at AS "expiresAt",
  recipient_address AS address
FROM deliveries WHERE delivery_id = $1 FOR UPDATE;
