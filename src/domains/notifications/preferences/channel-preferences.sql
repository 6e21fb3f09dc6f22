-- name: lockPreferences
-- One change at a time: two that see the same count must not both fill the last place. A statement of its own, since the
-- next one must see what was committed while this one waited.
-- In: $1 user
SELECT pg_advisory_xact_lock(hashtextextended($1, 7246021910));

-- name: putPreferences
-- In: $1 user, $2 types, $3 channels, $4 whether enabled (three arrays of one length, no pair twice), $5 now,
-- $6 rows that the user may have. Nothing is written where this would add rows beyond them; changing rows that are there
-- is always allowed. The caller holds the user's lock.
WITH given AS (
  SELECT p.type, p.channel, p.enabled
  FROM unnest($2::text[], $3::text[], $4::boolean[]) AS p (type, channel, enabled)
), counted AS (
  SELECT count(*) AS added
  FROM given LEFT JOIN user_notification_prefs own
    ON own.user_id = $1::varchar AND own.notification_type = given.type AND own.channel = given.channel
  WHERE own.user_id IS NULL
)
INSERT INTO user_notification_prefs (user_id, notification_type, channel, enabled, updated_at)
SELECT $1::varchar, given.type, given.channel, given.enabled, $5
FROM given, counted
WHERE counted.added = 0
   OR counted.added + (SELECT count(*) FROM user_notification_prefs own WHERE own.user_id = $1::varchar) <= $6
ORDER BY given.type, given.channel
ON CONFLICT (user_id, notification_type, channel) DO UPDATE
  SET enabled = excluded.enabled, unsubscribed = user_notification_prefs.unsubscribed AND NOT excluded.enabled,
    updated_at = excluded.updated_at;
