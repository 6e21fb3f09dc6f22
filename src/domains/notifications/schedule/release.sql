-- name: takeDue
-- Deliveries of a priority whose time has come, the longest overdue first; those that another worker is deciding are left to it.
-- In: $1 now, $2 priority, $3 at most so many, $4 none is due before this instant any more
-- not null: variables, fallbacks
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
-- type: fallbacks = readonly import('../channels.js').Channel[]
-- type: variables = import('../templates/render.js').Variables
SELECT d.delivery_id AS "deliveryId", d.request_id AS "requestId", d.notification_id AS "notificationId", d.producer,
       d.user_id AS "userId", d.notification_type AS type, d.channel, d.priority, d.attempt, d.expires_at AS "expiresAt",
       coalesce(d.variables, '{}') AS variables, d.group_id AS "groupId",
       d.fallback_channels AS fallbacks, r.template_id AS "templateId",
       r.correlation_id AS "correlationId"
FROM pending_deliveries p
JOIN deliveries d ON d.delivery_id = p.delivery_id AND d.created_at >= uuid_earliest(p.delivery_id)
JOIN notification_requests r ON r.request_id = d.request_id AND r.created_at >= uuid_earliest(d.request_id)
WHERE p.status = 'SCHEDULED' AND p.priority = $2 AND p.due_at >= $4 AND p.due_at <= $1 AND d.status = 'SCHEDULED' AND d.due_at <= $1
ORDER BY p.due_at
LIMIT $3
FOR UPDATE OF d SKIP LOCKED;

-- name: takeOne
-- The same of one delivery; nothing where its time has not come any more, or somebody else is deciding it.
-- In: $1 now, $2 delivery
-- not null: variables, fallbacks
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
-- type: fallbacks = readonly import('../channels.js').Channel[]
-- type: variables = import('../templates/render.js').Variables
SELECT d.delivery_id AS "deliveryId", d.request_id AS "requestId", d.notification_id AS "notificationId", d.producer,
       d.user_id AS "userId", d.notification_type AS type, d.channel, d.priority, d.attempt, d.expires_at AS "expiresAt",
       coalesce(d.variables, '{}') AS variables, d.group_id AS "groupId",
       d.fallback_channels AS fallbacks, r.template_id AS "templateId",
       r.correlation_id AS "correlationId"
FROM deliveries d JOIN notification_requests r ON r.request_id = d.request_id AND r.created_at >= uuid_earliest(d.request_id)
WHERE d.status = 'SCHEDULED' AND d.delivery_id = $2 AND d.created_at >= (SELECT uuid_earliest($2)) AND d.due_at <= $1
FOR UPDATE OF d SKIP LOCKED;

-- name: putOff
-- In: $1 delivery, $2 when it is due again
UPDATE deliveries SET due_at = $2 WHERE delivery_id = $1 AND created_at >= (SELECT uuid_earliest($1)) AND status = 'SCHEDULED';
