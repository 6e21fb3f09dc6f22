-- name: profiles
-- In: $1 user ids, $2 the notification type
-- Out: one row a user, known or not
SELECT u.user_id AS "userId",
       to_char(s.quiet_hours_start, 'HH24:MI') AS "quietHoursStart",
       to_char(s.quiet_hours_end, 'HH24:MI') AS "quietHoursEnd",
       coalesce(s.timezone, 'UTC') AS timezone,
       s.language,
       coalesce(s.marketing_opt_in, true) AS "marketingOptIn",
       s.email,
       s.phone,
       ARRAY(SELECT p.channel FROM user_notification_prefs p
             WHERE p.user_id = u.user_id AND p.notification_type = $2 AND NOT p.enabled) AS disabled,
       EXISTS (SELECT FROM user_devices d
               WHERE d.user_id = u.user_id AND d.is_active AND d.platform IN ('ios', 'android')) AS "hasDevice"
FROM unnest($1::text[]) AS u (user_id)
LEFT JOIN user_notification_settings s ON s.user_id = u.user_id;
