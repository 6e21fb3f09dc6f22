-- name: forward
-- In: $1 type, $2 channel, $3 language, each NULL for any; $4 whether active ones only; $5 to $8 the cursor's type,
--     channel, language and version or NULL; $9 at most so many
-- Out: templates in the order of those four, after the cursor
SELECT template_id AS "templateId", notification_type AS "notificationType", channel, language, version,
       is_active AS "isActive", subject, title, body, html_body AS "htmlBody", image_url AS "imageUrl",
       action_url AS "actionUrl", variables, push_options AS "pushOptions", syntax, created_by AS "createdBy", created_at AS "createdAt",
       updated_at AS "updatedAt"
FROM notification_templates
WHERE ($1::text IS NULL OR notification_type = $1) AND ($2::text IS NULL OR channel = $2)
  AND ($3::text IS NULL OR language = $3) AND (is_active OR NOT $4::boolean)
  AND ($5::text IS NULL OR (notification_type, channel, language, version) > ($5, $6::text, $7::text, $8::int))
ORDER BY notification_type, channel, language, version
LIMIT $9;

-- name: backward
-- The same, before the cursor, the nearest first.
SELECT template_id AS "templateId", notification_type AS "notificationType", channel, language, version,
       is_active AS "isActive", subject, title, body, html_body AS "htmlBody", image_url AS "imageUrl",
       action_url AS "actionUrl", variables, push_options AS "pushOptions", syntax, created_by AS "createdBy", created_at AS "createdAt",
       updated_at AS "updatedAt"
FROM notification_templates
WHERE ($1::text IS NULL OR notification_type = $1) AND ($2::text IS NULL OR channel = $2)
  AND ($3::text IS NULL OR language = $3) AND (is_active OR NOT $4::boolean)
  AND ($5::text IS NULL OR (notification_type, channel, language, version) < ($5, $6::text, $7::text, $8::int))
ORDER BY notification_type DESC, channel DESC, language DESC, version DESC
LIMIT $9;

-- name: versions
-- In: $1 types, $2 channels, $3 languages (three arrays of one length), $4 so many of each
-- Out: the newest versions of each, newest first
SELECT t.template_id AS "templateId", t.notification_type AS "notificationType", t.channel, t.language, t.version,
       t.is_active AS "isActive", t.subject, t.title, t.body, t.html_body AS "htmlBody", t.image_url AS "imageUrl",
       t.action_url AS "actionUrl", t.variables, t.push_options AS "pushOptions", t.syntax, t.created_by AS "createdBy", t.created_at AS "createdAt",
       t.updated_at AS "updatedAt"
FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (type, channel, language)
CROSS JOIN LATERAL (
  SELECT * FROM notification_templates
  WHERE notification_type = wanted.type AND channel = wanted.channel AND language = wanted.language
  ORDER BY version DESC LIMIT $4) t
ORDER BY t.version DESC;
