-- name: lock
-- One at a time changes which versions of a (type, channel, language) there are, and which is active.
-- In: $1 that triple as text
SELECT pg_advisory_xact_lock(hashtextextended($1, 7246021906));

-- name: deactivate
-- In: $1 type, $2 channel, $3 language, $4 now
UPDATE notification_templates SET is_active = false, updated_at = $4
WHERE notification_type = $1 AND channel = $2 AND language = $3 AND is_active;

-- name: setActive
-- In: $1 template id, $2 whether it is active, $3 now
UPDATE notification_templates SET is_active = $2, updated_at = $3 WHERE template_id = $1 AND is_active <> $2;

-- name: isActive
-- In: $1 template id
SELECT is_active AS "isActive" FROM notification_templates WHERE template_id = $1;
