-- name: restPage
-- Makes inactive what was not seen for long, and deletes what was not seen for very long, among the next devices in the order of their key. The devices of a whole
-- table are looked at page by page, so that no statement is long and no index need follow every registration.
-- In: $1 and $2 the user and device to go on after, $3 devices looked at, $4 not seen since, $5 inactive and not seen since
-- Out: one row: how many were looked at, the last of them, and the users of those made inactive
-- not null: looked, rested
WITH page AS MATERIALIZED (
  SELECT user_id, device_id, is_active AND last_seen_at < $4 AS idle, NOT is_active AND last_seen_at < $5 AS gone
  FROM user_devices
  WHERE (user_id, device_id) > ($1, $2)
  ORDER BY user_id, device_id
  LIMIT $3
), idle AS MATERIALIZED (
  SELECT d.ctid FROM page CROSS JOIN LATERAL (
    SELECT ctid FROM user_devices
    WHERE user_id = page.user_id AND device_id = page.device_id AND is_active AND last_seen_at < $4
    FOR UPDATE SKIP LOCKED) AS d
  WHERE page.idle
), rested AS (
  UPDATE user_devices SET is_active = false WHERE ctid = ANY (ARRAY(SELECT ctid FROM idle))
  RETURNING user_id
), old AS MATERIALIZED (
  SELECT d.ctid FROM page CROSS JOIN LATERAL (
    SELECT ctid FROM user_devices
    WHERE user_id = page.user_id AND device_id = page.device_id AND NOT is_active AND last_seen_at < $5
    FOR UPDATE SKIP LOCKED) AS d
  WHERE page.gone
), gone AS (
  DELETE FROM user_devices WHERE ctid = ANY (ARRAY(SELECT ctid FROM old))
), last AS (
  SELECT user_id, device_id FROM page ORDER BY user_id DESC, device_id DESC LIMIT 1
)
SELECT (SELECT count(*) FROM page) AS looked, last.user_id AS "userId", last.device_id AS "deviceId",
       ARRAY(SELECT DISTINCT user_id FROM rested) AS rested
FROM last;
