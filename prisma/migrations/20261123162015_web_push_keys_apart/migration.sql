-- Subscriptions were stored as JSON. One that is written in another way stays as it is, and is sent to as it is.
-- A transaction of its own, apart from changes of the table: devices are read and registered while it runs.
UPDATE "user_devices" d
SET "device_token" = s.parts[1], "p256dh" = s.parts[2], "auth" = s.parts[3]
FROM (
  SELECT "user_id", "device_id",
         regexp_match("device_token", '^\{"endpoint":"([^"\\]+)","keys":\{"p256dh":"([\w-]{87})","auth":"([\w-]{22})"\}\}$') AS parts
  FROM "user_devices"
  WHERE "platform" = 'web'
) AS s
WHERE s.parts IS NOT NULL AND d."user_id" = s."user_id" AND d."device_id" = s."device_id";
