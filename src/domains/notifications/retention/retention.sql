-- name: forgetRequests
-- In: see forget_requests
SELECT * FROM forget_requests($1, $2, $3, $4, $5);

-- name: forgetItems
-- Deletes the oldest items of all inboxes. One that somebody is just marking is left for the next round.
-- In: $1 items from before this instant; $2 the instant and $3 item to go on after; $4 at most so many
-- Out: one row: items looked at, the last one's instant and id (NULL: there was none), items deleted
WITH old AS MATERIALIZED (
  SELECT created_at, item_id FROM inbox_items
  WHERE created_at < $1 AND (created_at, item_id) > ($2, $3)
  ORDER BY created_at, item_id LIMIT $4
), locked AS (
  SELECT item_id FROM inbox_items WHERE item_id = ANY (ARRAY(SELECT item_id FROM old)) FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM inbox_items WHERE item_id = ANY (ARRAY(SELECT item_id FROM locked)) RETURNING item_id
), last AS (
  SELECT created_at, item_id FROM old ORDER BY created_at DESC, item_id DESC LIMIT 1
)
SELECT (SELECT count(*) FROM old) AS looked, (SELECT created_at FROM last) AS "lastAt", (SELECT item_id FROM last) AS "lastId",
       (SELECT count(*) FROM gone) AS forgotten;

-- name: forgetAlerts
-- The newest change stays: the next one is numbered after it. Whatever was resolved before was raised before, and what is active is
-- few: at most one of a name and scope.
-- In: $1 resolved before this instant, $2 at most so many
DELETE FROM alerts
WHERE alert_id = ANY (ARRAY(
  SELECT alert_id FROM alerts
  WHERE raised_at < $1 AND resolved_at < $1 AND change < (SELECT max(change) FROM alerts)
  ORDER BY raised_at, alert_id
  LIMIT $2));
