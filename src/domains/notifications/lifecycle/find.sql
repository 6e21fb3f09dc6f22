-- name: requestByName
-- The newest request under a notification id; where one was accepted, none that was refused beside it.
-- In: $1 notification id, $2 producer or NULL for anybody's
SELECT r.request_id AS "requestId"
FROM notification_requests r
LEFT JOIN notification_ids i USING (producer, notification_id, request_id)
WHERE r.notification_id = $1 AND ($2::text IS NULL OR r.producer = $2)
ORDER BY i.request_id IS NULL, r.created_at DESC, r.request_id DESC
LIMIT 1;

-- name: requestsById
-- In: $1 request ids
-- not null: status
-- type: priority = import('../types.js').Priority
-- type: status = import('./find.js').RequestStatus
SELECT r.request_id AS "requestId", r.notification_id AS "notificationId", r.type, r.priority,
       r.template_id AS "templateId", r.producer, r.schedule_at AS "scheduleAt",
       r.schedule_in_local_time AS "scheduleInLocalTime", r.expires_at AS "expiresAt", r.created_at AS "createdAt", request_status(r.request_id) AS status
FROM notification_requests r
WHERE r.request_id = ANY ($1::uuid[]) AND r.created_at >= (SELECT uuids_earliest($1));

-- name: deliveriesById
-- In: $1 delivery ids
-- Out: those that there are; "fallbackForId": of which delivery it is the fallback; "sequence": the order of acceptance
-- type: channel = import('../types.js').Channel
-- type: priority = import('../types.js').Priority
-- type: status = import('../types.js').DeliveryStatus
-- type: suppression = import('../types.js').SuppressionReason
-- type: content = import('../providers/provider.js').RenderedContent | Record<string, never>
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId", producer,
       user_id AS "userId", notification_type AS "notificationType", channel, priority, status, suppression, attempt, max_retries AS "maxRetries",
       last_error AS "lastError", next_retry_at AS "nextRetryAt", created_at AS "createdAt", expires_at AS "expiresAt",
       rendered_content AS content, fallback_for_id AS "fallbackForId", sequence, due_at AS "dueAt", recipient_address AS address
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[]) AND created_at >= (SELECT uuids_earliest($1));

-- name: targets
-- What became of deliveries at each of their addresses, as far as that is decided.
-- In: $1 delivery ids
-- Out: "error": why it failed for good; "providerId": the provider's own id of the message
SELECT delivery_id AS "deliveryId", target, error, provider_id AS "providerId"
FROM target_outcomes
WHERE delivery_id = ANY ($1::uuid[]) AND updated_at >= (SELECT uuids_earliest($1))
ORDER BY delivery_id, target;

-- name: timelines
-- Of each delivery those days alone are looked at on which its request lived: the clocks of processes may be an hour apart.
-- In: $1 delivery ids
-- not null: event
-- type: event = import('../types.js').LifecycleEvent
-- type: detail = import('../types.js').Detail
SELECT d.delivery_id AS "deliveryId", e.event, e.at, e.detail
FROM deliveries d
LEFT JOIN LATERAL (
  SELECT last_event_at FROM notification_requests
  WHERE request_id = d.request_id AND notification_requests.created_at >= uuid_earliest(d.request_id) LIMIT 1) AS r ON true
CROSS JOIN LATERAL (
  SELECT s.number, s.event, at, s.detail
  FROM delivery_events l CROSS JOIN LATERAL lifecycle_events_of(l.number, l.event, l.detail, l.earlier) AS s
  WHERE delivery_id = d.delivery_id AND at >= d.created_at - interval '1 hour'
    AND at <= coalesce(r.last_event_at, 'infinity') + interval '1 hour'
  -- For each by its own days.
  OFFSET 0
) AS e
WHERE d.delivery_id = ANY ($1::uuid[]) AND d.created_at >= (SELECT uuids_earliest($1))
ORDER BY d.delivery_id, e.number;
