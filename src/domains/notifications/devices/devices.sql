-- name: devicesOf
-- In: $1 user
-- type: platform = import('../channels.js').Platform
SELECT device_id AS "deviceId", platform, app_version AS "appVersion", is_active AS "isActive",
       created_at AS "createdAt", last_seen_at AS "lastSeenAt"
FROM user_devices WHERE user_id = $1 ORDER BY created_at, device_id;

-- name: unregister
-- In: $1 user, $2 device
-- Out: the device as it was; nothing where there is none
-- type: platform = import('../channels.js').Platform
DELETE FROM user_devices WHERE user_id = $1 AND device_id = $2
RETURNING device_id AS "deviceId", platform, app_version AS "appVersion", is_active AS "isActive",
          created_at AS "createdAt", last_seen_at AS "lastSeenAt";
