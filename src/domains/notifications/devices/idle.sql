-- name: restPage
-- Makes inactive what was not seen for long, among the next devices in the order of their key. The devices of a whole
-- table are looked at page by page, so that no statement is long and no index need follow every registration.
-- In: $1 and $2 the user and device to go on after, $3 devices looked at, $4 not seen since
-- Out: one row: how many were looked at, the last of them, and the users of those made inactive
WITH page AS MATERIALIZED (
  SELECT user_id, device_id, is_active AND last_seen_at < $4 AS idle
  FROM user_devices
  WHERE (user_id, device_id) > ($1, $2)
  ORDER BY user_id, device_id
  LIMIT $3
), locked AS (
  SELECT d.user_id, d.device_id
  FROM user_devices d JOIN page ON page.idle AND d.user_id = page.user_id AND d.device_id = page.device_id
  WHERE d.is_active AND d.last_seen_at < $4
  FOR UPDATE OF d SKIP LOCKED
), rested AS (
  UPDATE user_devices d SET is_active = false
  FROM locked WHERE d.user_id = locked.user_id AND d.device_id = locked.device_id
  RETURNING d.user_id
), last AS (
  SELECT user_id, device_id FROM page ORDER BY user_id DESC, device_id DESC LIMIT 1
)
SELECT (SELECT count(*) FROM page) AS looked, last.user_id AS "userId", last.device_id AS "deviceId",
       ARRAY(SELECT DISTINCT user_id FROM rested) AS rested
FROM last;
