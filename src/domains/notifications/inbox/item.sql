-- name: itemsById
-- A user's items, with what their deliveries do not record yet: that they arrived, or that they were read. An item came after its
-- id was made: each is looked for in the months since.
-- In: $1 user, $2 item ids
-- Out: "deliveryId": whose text it shows, of a group the newest
-- not null: deliveryId
-- type: owed = 'delivered' | 'opened'
SELECT i.item_id AS "itemId", i.notification_type AS "notificationType", i.title, i.body, i.action_url AS "actionUrl",
       i.image_url AS "imageUrl", i.created_at AS "createdAt", i.read_at AS "readAt", i.archived_at AS "archivedAt",
       i.change, i.actor_count AS "actorCount", coalesce(i.delivery_id, i.item_id) AS "deliveryId",
       CASE
         WHEN i.read_at IS NOT NULL AND d.status IN ('QUEUED', 'RETRYING', 'SENT', 'DELIVERED') THEN 'opened'
         WHEN d.status IN ('QUEUED', 'RETRYING', 'SENT') THEN 'delivered'
       END AS owed
FROM unnest($2::uuid[]) AS w (item_id)
CROSS JOIN LATERAL (
  SELECT * FROM inbox_entries
  WHERE item_id = w.item_id AND created_at >= uuid_earliest(w.item_id)
  OFFSET 0
) AS i
LEFT JOIN LATERAL (
  SELECT status FROM deliveries
  WHERE delivery_id = coalesce(i.delivery_id, i.item_id) AND deliveries.created_at >= uuid_earliest(coalesce(i.delivery_id, i.item_id))
  OFFSET 0) AS d ON true
WHERE i.user_id = $1;

-- name: itemsAfter
-- The same of a user's items that changed after a number, in the order of their changes.
-- In: $1 user, $2 the number, $3 at most so many
-- not null: deliveryId
-- type: owed = 'delivered' | 'opened'
SELECT i.item_id AS "itemId", i.notification_type AS "notificationType", i.title, i.body, i.action_url AS "actionUrl",
       i.image_url AS "imageUrl", i.created_at AS "createdAt", i.read_at AS "readAt", i.archived_at AS "archivedAt",
       i.change, i.actor_count AS "actorCount", coalesce(i.delivery_id, i.item_id) AS "deliveryId",
       CASE
         WHEN i.read_at IS NOT NULL AND d.status IN ('QUEUED', 'RETRYING', 'SENT', 'DELIVERED') THEN 'opened'
         WHEN d.status IN ('QUEUED', 'RETRYING', 'SENT') THEN 'delivered'
       END AS owed
FROM inbox_entries i LEFT JOIN deliveries d
  ON d.delivery_id = coalesce(i.delivery_id, i.item_id) AND d.created_at >= uuid_earliest(coalesce(i.delivery_id, i.item_id))
WHERE i.user_id = $1 AND i.change > $2
ORDER BY i.change
LIMIT $3;

-- name: state
-- In: $1 user, $2 unread items counted at most
-- not null: change, unread
SELECT coalesce((SELECT last_change FROM inboxes WHERE user_id = $1), 0) AS change,
       (SELECT count(*) FROM (
         SELECT FROM inbox_entries WHERE user_id = $1 AND read_at IS NULL AND archived_at IS NULL LIMIT $2) AS counted) AS unread;

-- name: unread
-- In: $1 user
SELECT FROM inbox_entries WHERE user_id = $1 AND read_at IS NULL AND archived_at IS NULL;
