-- name: forgetRequests
-- In: see forget_requests
SELECT * FROM forget_requests($1, $2, $3, $4, $5);

-- name: forgetEventDays
-- In: see forget_event_days
SELECT forget_event_days($1::date, $2) AS dropped;

-- name: forgetItems
-- Deletes old items of the next inboxes in the order of their users. An item that somebody is just marking is left.
-- In: $1 the user to go on after, $2 at most so many inboxes and so many items, $3 items from before this instant
-- Out: one row: inboxes looked at, the last one's user, items deleted
WITH page AS MATERIALIZED (
  SELECT user_id FROM inboxes WHERE user_id > $1 ORDER BY user_id LIMIT $2
), old AS MATERIALIZED (
  SELECT i.item_id
  FROM page CROSS JOIN LATERAL (
    SELECT item_id FROM inbox_items WHERE user_id = page.user_id AND created_at < $3 LIMIT $2) AS i
  LIMIT $2
), locked AS (
  SELECT item_id FROM inbox_items WHERE item_id = ANY (ARRAY(SELECT item_id FROM old)) FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM inbox_items WHERE item_id = ANY (ARRAY(SELECT item_id FROM locked)) RETURNING item_id
)
SELECT (SELECT count(*) FROM page) AS looked, (SELECT max(user_id) FROM page) AS "userId",
       (SELECT count(*) FROM gone) AS forgotten;

-- name: forgetAlerts
-- The newest change stays: the next one is numbered after it.
-- In: $1 resolved before this instant, $2 at most so many
DELETE FROM alerts
WHERE alert_id = ANY (ARRAY(
  SELECT alert_id FROM alerts
  WHERE resolved_at < $1 AND change < (SELECT max(change) FROM alerts)
  LIMIT $2));
