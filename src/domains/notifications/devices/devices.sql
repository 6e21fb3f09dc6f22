-- name: register
-- A token belongs to one phone: whoever had it before, as another user or under another id, has it no more.
-- A user keeps the devices that were seen last; each more would be a provider call for every push.
-- In: $1 user, $2 device, $3 platform, $4 token, $5 app version, $6 now, $7 other devices kept
WITH moved AS (
  DELETE FROM user_devices WHERE device_token = $4 AND (user_id, device_id) <> ($1, $2)
), left_behind AS (
  DELETE FROM user_devices WHERE user_id = $1 AND device_id IN (
    SELECT device_id FROM user_devices WHERE user_id = $1 AND device_id <> $2 AND device_token <> $4
    ORDER BY last_seen_at DESC, device_id OFFSET $7)
)
INSERT INTO user_devices (user_id, device_id, platform, device_token, app_version, is_active, created_at, last_seen_at)
VALUES ($1, $2, $3, $4, $5, true, $6, $6)
ON CONFLICT (user_id, device_id) DO UPDATE
  SET platform = excluded.platform, device_token = excluded.device_token, app_version = excluded.app_version,
      is_active = true, last_seen_at = excluded.last_seen_at
RETURNING device_id AS "deviceId", platform, app_version AS "appVersion", is_active AS "isActive",
          created_at AS "createdAt", last_seen_at AS "lastSeenAt";

-- name: devicesOf
-- In: $1 user
SELECT device_id AS "deviceId", platform, app_version AS "appVersion", is_active AS "isActive",
       created_at AS "createdAt", last_seen_at AS "lastSeenAt"
FROM user_devices WHERE user_id = $1 AND platform IN ('ios', 'android') ORDER BY created_at, device_id;
