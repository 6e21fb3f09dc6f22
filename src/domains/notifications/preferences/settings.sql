-- name: lockSettings
-- One change at a time: two first ones of a user, who has no row yet to be locked, must not undo each other.
-- In: $1 user
SELECT pg_advisory_xact_lock(hashtextextended($1, 7246021909));

-- name: settingsOf
-- In: $1 user
-- null: updatedAt
-- type: digestFrequency = import('./settings.js').DigestFrequency
SELECT to_char(quiet_hours_start, 'HH24:MI') AS "quietHoursStart", to_char(quiet_hours_end, 'HH24:MI') AS "quietHoursEnd",
       timezone, language, marketing_opt_in AS "marketingOptIn", digest_frequency AS "digestFrequency", email, phone,
       updated_at AS "updatedAt"
FROM user_notification_settings WHERE user_id = $1;

-- name: putSettings
-- In: $1 user, $2 quiet hours' start, $3 their end, $4 time zone, $5 language, $6 marketing opt-in, $7 digest
--     frequency, $8 mail address, $9 phone, $10 now
INSERT INTO user_notification_settings (user_id, quiet_hours_start, quiet_hours_end, timezone, language, marketing_opt_in,
                                        digest_frequency, email, phone, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (user_id) DO UPDATE
  SET quiet_hours_start = excluded.quiet_hours_start, quiet_hours_end = excluded.quiet_hours_end,
      timezone = excluded.timezone, language = excluded.language, marketing_opt_in = excluded.marketing_opt_in,
      digest_frequency = excluded.digest_frequency, email = excluded.email, phone = excluded.phone,
      updated_at = excluded.updated_at;
