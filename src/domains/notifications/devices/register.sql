-- name: lock
-- One at a time registers a token, and one at a time a device of a user.
-- In: $1 token, $2 user
SELECT pg_advisory_xact_lock(hashtextextended($1, 7246021907)), pg_advisory_xact_lock(hashtextextended($2, 7246021908));

-- name: lockDevices
-- Whatever `register` may touch, in one order for all: two users may be taking each other's tokens.
-- In: $1 token, $2 user
SELECT FROM user_devices WHERE device_token = $1 OR user_id = $2 ORDER BY user_id, device_id FOR UPDATE;

-- name: register
-- A token belongs to one phone: another user or another id that had it before loses it.
-- A user keeps the devices that were seen last; each more would be a provider call for every push.
-- In: $1 user, $2 device, $3 platform, $4 token, $5 app version, $6 now, $7 other devices kept, $8 and $9 a browser's
--     keys p256dh and auth, else NULL
-- Out: the device, and the other users who had the token
-- not null: formerOwners
-- type: platform = import('../channels.js').Platform
WITH moved AS (
  DELETE FROM user_devices WHERE device_token = $4 AND (user_id, device_id) <> ($1, $2)
  RETURNING user_id
), left_behind AS (
  DELETE FROM user_devices WHERE user_id = $1 AND device_id IN (
    SELECT device_id FROM user_devices WHERE user_id = $1 AND device_id <> $2 AND device_token <> $4
    ORDER BY last_seen_at DESC, device_id OFFSET $7)
)
INSERT INTO user_devices (user_id, device_id, platform, device_token, p256dh, auth, app_version, is_active, created_at,
                          last_seen_at)
VALUES ($1, $2, $3, $4, $8, $9, $5, true, $6, $6)
ON CONFLICT (user_id, device_id) DO UPDATE
  SET platform = excluded.platform, device_token = excluded.device_token, p256dh = excluded.p256dh,
      auth = excluded.auth, app_version = excluded.app_version, is_active = true,
      last_seen_at = greatest(excluded.last_seen_at, user_devices.last_seen_at)
RETURNING device_id AS "deviceId", platform, app_version AS "appVersion", is_active AS "isActive",
          created_at AS "createdAt", last_seen_at AS "lastSeenAt",
          ARRAY(SELECT DISTINCT user_id FROM moved WHERE user_id <> $1) AS "formerOwners";
