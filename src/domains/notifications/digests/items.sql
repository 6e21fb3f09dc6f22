-- name: store
-- In: $1 deliveries, $2 digests, $3 when each is due (three arrays of one length)
INSERT INTO digest_items (delivery_id, digest_id, due_at)
SELECT item.delivery_id, item.digest_id, item.due_at
FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS item (delivery_id, digest_id, due_at);

-- name: take
-- Called once the deliveries are locked: who else has taken them has committed then.
-- In: $1 deliveries
-- Out: those that waited until now
DELETE FROM digest_items WHERE delivery_id = ANY ($1::uuid[]) RETURNING delivery_id AS "deliveryId";

-- name: putOff
-- In: $1 deliveries, $2 when each is due now (two arrays of one length)
UPDATE digest_items SET due_at = item.due_at
FROM unnest($1::uuid[], $2::timestamptz[]) AS item (delivery_id, due_at)
WHERE digest_items.delivery_id = ANY ($1::uuid[]) AND digest_items.delivery_id = item.delivery_id;

-- name: due
-- The first digests that are due, of so many items together: the last one may be there in part.
-- In: $1 now, $2 milliseconds to look back, NULL for everything, $3 items
-- Out: digests, the longest overdue first, with how many items were seen of each
-- not null: items
SELECT digest_id AS "digestId", due_at AS "dueAt", count(*)::int AS items
FROM (
  SELECT digest_id, due_at FROM digest_items
  WHERE due_at <= $1 AND due_at >= coalesce($1::timestamptz - $2::float8 * interval '1 millisecond', '-infinity')
  ORDER BY due_at, digest_id
  LIMIT $3
) AS first
GROUP BY due_at, digest_id
ORDER BY due_at, digest_id;

-- name: lock
-- Until the transaction ends nobody else has these digests. What is read in a later statement is what nobody has sent.
-- In: $1 digests
-- Out: those that nobody else has
-- not null: digestId
SELECT digest_id AS "digestId" FROM unnest($1::text[]) AS digest_id
WHERE pg_try_advisory_xact_lock(hashtextextended(digest_id, 7246021911));

-- name: itemsOf
-- In: $1 digests, $2 when each is due (two arrays of one length), $3 at most so many items
-- In the order in which they came.
SELECT item.delivery_id AS "deliveryId", item.digest_id AS "digestId"
FROM unnest($1::text[], $2::timestamptz[]) AS digest (digest_id, due_at)
CROSS JOIN LATERAL (
  SELECT i.delivery_id, i.digest_id, i.due_at FROM digest_items i
  WHERE i.due_at = digest.due_at AND i.digest_id = digest.digest_id
  ORDER BY i.due_at, i.digest_id, i.delivery_id
  LIMIT $3
) AS item
ORDER BY item.due_at, item.digest_id, item.delivery_id
LIMIT $3;

-- name: lockGathered
-- Of these deliveries those that still wait for a digest, and whether their request was cancelled meanwhile. In the order in which
-- everybody locks several.
-- In: $1 deliveries
-- not null: isCancelled
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
-- type: content = import('../providers/provider.js').RenderedContent
SELECT d.delivery_id AS "deliveryId", d.notification_id AS "notificationId", d.producer, d.user_id AS "userId",
       d.notification_type AS type, d.channel, d.priority, d.attempt, d.created_at AS "createdAt", d.expires_at AS "expiresAt",
       d.rendered_content AS content, r.correlation_id AS "correlationId", r.cancelled_at IS NOT NULL AS "isCancelled"
FROM deliveries d
JOIN notification_requests r ON r.request_id = d.request_id AND r.created_at >= uuid_earliest(d.request_id)
WHERE d.delivery_id = ANY ($1::uuid[]) AND d.created_at >= (SELECT uuids_earliest($1))
  AND d.status = 'SUPPRESSED' AND d.suppression = 'DIGESTED'
ORDER BY d.delivery_id
FOR UPDATE OF d;

-- name: usedIds
-- In: $1 producer, $2 notification ids
-- Out: those that stand for a request
SELECT notification_id AS "notificationId" FROM notification_ids
WHERE producer = $1 AND notification_id = ANY ($2::text[]);
