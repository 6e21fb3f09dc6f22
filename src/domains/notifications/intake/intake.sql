-- name: findAccepted
-- In: $1 producer, $2 notification id, $3 only what was first seen after this instant
-- Out: the first response and the hash of its body, or nothing
SELECT body_hash, response
FROM notification_ids
WHERE producer = $1 AND notification_id = $2 AND first_seen >= $3;

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

-- name: templates
-- In: $1 a template id, $2 channels
-- Out: nothing if there is no such template; else one row for each active template of its type on those channels,
--      or one row without a template where none is active
SELECT t.template_id AS "templateId", t.channel, t.language, t.version, t.title, t.subject, t.body,
       t.html_body AS "htmlBody", t.image_url AS "imageUrl", t.action_url AS "actionUrl", t.variables
FROM notification_templates named
LEFT JOIN notification_templates t
  ON t.notification_type = named.notification_type AND t.is_active AND t.channel = ANY ($2::text[])
WHERE named.template_id = $1;

-- name: accept
SELECT accept_notification($1) AS outcome;
