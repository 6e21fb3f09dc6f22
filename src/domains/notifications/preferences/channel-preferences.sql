-- name: putPreferences
-- In: $1 user, $2 types, $3 channels, $4 whether enabled (three arrays of one length, no pair twice), $5 now,
-- $6 other rows that the user may have. Nothing is written where he has more.
INSERT INTO user_notification_prefs (user_id, notification_type, channel, enabled, updated_at)
SELECT $1::varchar, p.type, p.channel, p.enabled, $5
FROM unnest($2::text[], $3::text[], $4::boolean[]) AS p (type, channel, enabled)
WHERE $6 >= (
  SELECT count(*) FROM user_notification_prefs other
  WHERE other.user_id = $1::varchar AND (other.notification_type, other.channel) NOT IN (
    SELECT n.type, n.channel FROM unnest($2::text[], $3::text[]) AS n (type, channel)))
ORDER BY p.type, p.channel
ON CONFLICT (user_id, notification_type, channel) DO UPDATE
  SET enabled = excluded.enabled, updated_at = excluded.updated_at;
