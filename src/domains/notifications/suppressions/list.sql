-- name: forward
-- Newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and suppression, $3 at most so many
-- type: channel = import('../channels.js').Channel
-- type: cause = import('./cause.js').SuppressionCause
SELECT suppression_id AS "suppressionId", channel, address, cause, note, added_by AS "addedBy", delivery_id AS "deliveryId",
       created_at AS "createdAt"
FROM address_suppressions
WHERE removed_at IS NULL AND (created_at, suppression_id) < ($1::timestamptz, $2::uuid)
ORDER BY created_at DESC, suppression_id DESC
LIMIT $3;

-- name: backward
-- The same, newer than the cursor, the nearest first.
-- type: channel = import('../channels.js').Channel
-- type: cause = import('./cause.js').SuppressionCause
SELECT suppression_id AS "suppressionId", channel, address, cause, note, added_by AS "addedBy", delivery_id AS "deliveryId",
       created_at AS "createdAt"
FROM address_suppressions
WHERE removed_at IS NULL AND (created_at, suppression_id) > ($1::timestamptz, $2::uuid)
ORDER BY created_at, suppression_id
LIMIT $3;

-- name: ofChannelForward
-- A channel's, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and suppression, $3 at most so many, $4 channel
-- type: channel = import('../channels.js').Channel
-- type: cause = import('./cause.js').SuppressionCause
SELECT suppression_id AS "suppressionId", channel, address, cause, note, added_by AS "addedBy", delivery_id AS "deliveryId",
       created_at AS "createdAt"
FROM address_suppressions
WHERE removed_at IS NULL AND (created_at, suppression_id) < ($1::timestamptz, $2::uuid) AND channel = $4
ORDER BY created_at DESC, suppression_id DESC
LIMIT $3;

-- name: ofChannelBackward
-- The same, newer than the cursor, the nearest first.
-- type: channel = import('../channels.js').Channel
-- type: cause = import('./cause.js').SuppressionCause
SELECT suppression_id AS "suppressionId", channel, address, cause, note, added_by AS "addedBy", delivery_id AS "deliveryId",
       created_at AS "createdAt"
FROM address_suppressions
WHERE removed_at IS NULL AND (created_at, suppression_id) > ($1::timestamptz, $2::uuid) AND channel = $4
ORDER BY created_at, suppression_id
LIMIT $3;

-- name: ofAddress
-- Those of an address, however its case is: one a channel at most.
-- In: $1 address, $2 channels
-- type: channel = import('../channels.js').Channel
-- type: cause = import('./cause.js').SuppressionCause
SELECT s.suppression_id AS "suppressionId", s.channel, s.address, s.cause, s.note, s.added_by AS "addedBy",
       s.delivery_id AS "deliveryId", s.created_at AS "createdAt"
FROM unnest($2::text[]) AS asked (channel)
JOIN address_suppressions s
  ON s.address = suppressible_address(asked.channel, $1::text) AND s.channel = asked.channel AND s.removed_at IS NULL;

-- name: byId
-- Those of several that hold.
-- In: $1 suppressions
-- type: channel = import('../channels.js').Channel
-- type: cause = import('./cause.js').SuppressionCause
SELECT suppression_id AS "suppressionId", channel, address, cause, note, added_by AS "addedBy", delivery_id AS "deliveryId",
       created_at AS "createdAt"
FROM address_suppressions
WHERE suppression_id = ANY ($1::uuid[]) AND removed_at IS NULL;
