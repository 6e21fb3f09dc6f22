-- name: profiles
-- In: $1 user ids, $2 notification types (two arrays of one length)
-- Out: one row for each pair, in order, whether the user is known or not; "declined": for each channel on which they
--      do not want this type why a delivery is left out, null where there is none; "declinedDigests": the same of the type DIGEST,
--      of those who get digests; "hasDevice": they have an active device that push reaches; "suppressions": why their addresses are on the suppression
--      list, by channel, null where none is
-- not null: userId, timezone, marketingOptIn, digestFrequency, hasDevice
-- type: digestFrequency = import('../preferences/settings.js').DigestFrequency
-- type: declined = Readonly<Partial<Record<import('../channels.js').Channel, 'CHANNEL_DISABLED' | 'UNSUBSCRIBED'>>>
-- type: declinedDigests = Readonly<Partial<Record<import('../channels.js').Channel, 'CHANNEL_DISABLED' | 'UNSUBSCRIBED'>>>
-- type: suppressions = Readonly<Partial<Record<import('../channels.js').Channel, import('../suppressions/cause.js').SuppressionCause>>>
SELECT u.user_id AS "userId",
       to_char(s.quiet_hours_start, 'HH24:MI') AS "quietHoursStart",
       to_char(s.quiet_hours_end, 'HH24:MI') AS "quietHoursEnd",
       coalesce(s.timezone, 'UTC') AS timezone,
       s.language,
       coalesce(s.marketing_opt_in, true) AS "marketingOptIn",
       coalesce(s.digest_frequency, 'realtime') AS "digestFrequency",
       s.email,
       s.phone,
       (SELECT jsonb_object_agg(p.channel, CASE WHEN p.unsubscribed THEN 'UNSUBSCRIBED' ELSE 'CHANNEL_DISABLED' END)
        FROM user_notification_prefs p
        WHERE p.user_id = u.user_id AND p.notification_type = u.type AND NOT p.enabled) AS declined,
       CASE WHEN s.digest_frequency <> 'realtime' THEN (
         SELECT jsonb_object_agg(p.channel, CASE WHEN p.unsubscribed THEN 'UNSUBSCRIBED' ELSE 'CHANNEL_DISABLED' END)
         FROM user_notification_prefs p
         WHERE p.user_id = u.user_id AND p.notification_type = 'DIGEST' AND NOT p.enabled) END AS "declinedDigests",
       -- With a limit, so that it is looked up for each: EXISTS may be answered out of a hash of the whole table.
       (SELECT true FROM user_devices d WHERE d.user_id = u.user_id AND d.is_active LIMIT 1) IS NOT NULL AS "hasDevice",
       -- With limits, for the same reason.
       CASE WHEN s.email IS NOT NULL OR s.phone IS NOT NULL THEN nullif(jsonb_strip_nulls(jsonb_build_object(
         'email', (SELECT a.cause FROM address_suppressions a
                   WHERE a.address = suppressible_address('email', s.email) AND a.channel = 'email' AND a.removed_at IS NULL LIMIT 1),
         'sms', (SELECT a.cause FROM address_suppressions a
                 WHERE a.address = s.phone AND a.channel = 'sms' AND a.removed_at IS NULL LIMIT 1))), '{}') END AS suppressions
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u (user_id, type, place)
LEFT JOIN user_notification_settings s ON s.user_id = u.user_id
ORDER BY u.place;
