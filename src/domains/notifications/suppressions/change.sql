-- name: add
-- An admin's entry. One that is there stays, but that a complaint gives way.
-- In: $1 channel, $2 address, $3 note or NULL, $4 admin, $5 now
INSERT INTO address_suppressions AS s (suppression_id, channel, address, cause, note, added_by, created_at)
VALUES (new_uuid_v7($5::timestamptz), $1::text, suppressible_address($1::text, $2::text), 'MANUAL', $3, $4, $5::timestamptz)
ON CONFLICT (address, channel) WHERE removed_at IS NULL DO UPDATE
  SET cause = excluded.cause, note = excluded.note, added_by = excluded.added_by
  WHERE s.cause = 'COMPLAINT';

-- name: remove
-- Ends an entry, and what counted towards one.
-- In: $1 channel, $2 address, $3 now, $4 admin, $5 note
-- Out: a row where there was an entry
WITH begun_anew AS (
  DELETE FROM soft_bounces WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM soft_bounces
    WHERE channel = $1::text AND address = suppressible_address($1::text, $2::text)
    -- As apply_address_events does.
    ORDER BY delivery_id FOR UPDATE))
)
UPDATE address_suppressions SET removed_at = greatest($3::timestamptz, created_at), removed_by = $4, removed_note = $5
WHERE channel = $1::text AND address = suppressible_address($1::text, $2::text) AND removed_at IS NULL
RETURNING suppression_id AS "suppressionId", cause;

-- name: stop
-- The owner of a number wants no more messages.
-- In: $1 a JSON array of what was learned of addresses; see apply_address_events
SELECT apply_address_events($1::jsonb);

-- name: start
-- The owner of a number wants messages again: an entry for another cause stays.
-- In: $1 channel, $2 number, $3 now
UPDATE address_suppressions SET removed_at = greatest($3::timestamptz, created_at), removed_note = 'START'
WHERE channel = $1::text AND address = suppressible_address($1::text, $2::text) AND removed_at IS NULL AND cause = 'STOP';

-- name: usersOf
-- Who has one of these addresses in their settings.
-- In: $1 addresses, mail addresses and numbers, $2 at most so many of each
-- not null: userId
SELECT DISTINCT found.user_id AS "userId"
FROM unnest($1::text[]) AS asked (address)
CROSS JOIN LATERAL (
  (SELECT s.user_id FROM user_notification_settings s
   WHERE lower(s.email COLLATE "C") = lower(asked.address COLLATE "C") AND s.email IS NOT NULL LIMIT $2)
  UNION ALL
  (SELECT s.user_id FROM user_notification_settings s WHERE s.phone = asked.address AND s.phone IS NOT NULL LIMIT $2)
) AS found;
