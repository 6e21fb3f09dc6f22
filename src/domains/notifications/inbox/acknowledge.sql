-- name: owedBetween
-- What is still to be reported to deliveries of the items of a range of an inbox's changes.
-- In: $1 user, $2 above this change, $3 up to this one, $4 at most so many
-- not null: deliveryId
-- type: owed = 'delivered' | 'opened'
SELECT "deliveryId", change, owed
FROM (
  SELECT d.delivery_id AS "deliveryId", i.change,
         CASE
           WHEN i.read_at IS NOT NULL AND d.status IN ('QUEUED', 'RETRYING', 'SENT', 'DELIVERED') THEN 'opened'
           WHEN d.status IN ('QUEUED', 'RETRYING', 'SENT') THEN 'delivered'
         END AS owed
  FROM inbox_entries i JOIN deliveries d
    ON d.delivery_id = coalesce(i.delivery_id, i.item_id) AND d.created_at >= uuid_earliest(coalesce(i.delivery_id, i.item_id))
  WHERE i.user_id = $1 AND i.change > $2 AND i.change <= $3
) AS items
WHERE owed IS NOT NULL
ORDER BY change
LIMIT $4;
