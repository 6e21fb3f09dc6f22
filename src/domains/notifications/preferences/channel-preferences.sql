-- name: putPreferences
-- In: $1 user, $2 types, $3 channels, $4 whether enabled (three arrays of one length, no pair twice), $5 now,
-- $6 rows that a user may have stored before. Nothing is written where he has more.
INSERT INTO user_notification_prefs (user_id, notification_type, channel, enabled, updated_at)
SELECT $1, p.type, p.channel, p.enabled, $5
FROM unnest($2::text[], $3::text[], $4::boolean[]) AS p (type, channel, enabled)
WHERE (SELECT count(*) FROM user_notification_prefs WHERE user_id = $1) <= $6
ORDER BY p.type, p.channel
ON CONFLICT (user_id, notification_type, channel) DO UPDATE
  SET enabled = excluded.enabled, updated_at = excluded.updated_at;
