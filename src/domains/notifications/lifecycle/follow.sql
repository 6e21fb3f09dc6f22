-- name: receivedRequest
-- The newest request under a notification id that has a delivery to a user.
-- In: $1 notification id, $2 user
SELECT request_id AS "requestId"
FROM deliveries
WHERE user_id = $2 AND notification_id = $1
ORDER BY created_at DESC, request_id DESC
LIMIT 1;

-- name: eventsAfter
-- Looks at the days alone on which the request lived: see timelines.
-- In: $1 request, $2 a number to go on after, $3 a user whose deliveries alone are wanted or NULL, $4 at most so many
-- not null: number, event
-- type: channel = import('../types.js').Channel
-- type: event = import('../types.js').LifecycleEvent
-- type: status = import('../types.js').DeliveryStatus
SELECT s.number, l.delivery_id AS "deliveryId", l.user_id AS "userId", l.channel, s.event, l.status, l.at
FROM (
  SELECT e.*, d.user_id, d.channel
  FROM delivery_events e JOIN deliveries d ON d.delivery_id = e.delivery_id AND d.created_at >= (SELECT uuid_earliest($1))
  WHERE e.request_id = $1 AND e.number > $2 AND ($3::text IS NULL OR d.user_id = $3)
    AND e.at >= (SELECT created_at - interval '1 hour' FROM notification_requests
                 WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1)))
    AND e.at <= (SELECT coalesce(last_event_at, 'infinity') + interval '1 hour' FROM notification_requests
                 WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1)))
  ORDER BY e.number
  LIMIT $4
) AS l CROSS JOIN LATERAL lifecycle_events_of(l.number, l.event, l.detail, l.earlier) AS s
WHERE s.number > $2
ORDER BY s.number
LIMIT $4;
