-- name: lockDeliveries
-- Holds the rows of deliveries, in one order, so that no two callers wait for each other in a circle.
-- In: $1 delivery ids
-- Out: those that there are; "isLeased": somebody is just calling a provider for it
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId", producer,
  user_id AS "userId", notification_type AS "notificationType", channel, priority, status, attempt,
  max_retries AS "maxRetries", rendered_content AS content, created_at AS "createdAt",
  coalesce(queued_at, created_at) AS "queuedAt", expires_at AS "expiresAt",
  recipient_address AS address, coalesce(lease_until > clock_timestamp(), false) AS "isLeased",
  (SELECT t.provider_id FROM delivery_targets t WHERE t.delivery_id = deliveries.delivery_id AND t.target = channel) AS "providerId"
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[])
ORDER BY delivery_id
FOR UPDATE;

-- name: pastOf
-- What was recorded of deliveries before. Ask once their rows are held: then nobody adds to it.
-- In: $1 delivery ids, $2 an instant before which none of them existed (spares the older partitions)
-- Out: a row for each that has a past; "calledAt": when its last call to a provider was recorded
SELECT delivery_id AS "deliveryId",
  max(at) FILTER (WHERE event IN ('SENT', 'FAILED')) AS "calledAt",
  coalesce(jsonb_agg(jsonb_build_object('event', event, 'detail', detail))
           FILTER (WHERE event IN ('OPENED', 'CLICKED', 'DISMISSED', 'UNSUBSCRIBED')), '[]') AS engagements
FROM delivery_events
WHERE delivery_id = ANY ($1::uuid[]) AND at >= $2
GROUP BY delivery_id;

-- name: switchOff
-- Users want no more of a type on a channel. What somebody chose after that instant stands.
-- In: $1 users, $2 types, $3 channels, $4 instants (four arrays of one length, no preference twice)
-- Out: the users whose preference changed
INSERT INTO user_notification_prefs AS p (user_id, notification_type, channel, enabled, updated_at)
SELECT u.user_id, u.type, u.channel, false, u.at
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS u (user_id, type, channel, at)
ORDER BY u.user_id, u.type, u.channel
ON CONFLICT (user_id, notification_type, channel) DO UPDATE
  SET enabled = false, updated_at = excluded.updated_at
  WHERE p.enabled AND p.updated_at <= excluded.updated_at
RETURNING p.user_id AS "userId";
