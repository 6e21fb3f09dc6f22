-- name: insert
-- In: $1 template id, $2 type, $3 channel, $4 language, $5 active, $6 subject, $7 title, $8 body, $9 html body,
--     $10 image url, $11 action url, $12 variables, $13 created by, $14 now, $15 push options, $16 syntax
-- Out: nothing where the id is taken; else its version, the next of its (type, channel, language)
INSERT INTO notification_templates (template_id, notification_type, channel, language, version, is_active, subject, title,
                                    body, html_body, image_url, action_url, variables, created_by, created_at, updated_at,
                                    push_options, syntax)
SELECT $1, $2::text, $3::text, $4::text, coalesce(max(version), 0) + 1, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13,
       $14::timestamptz, $14::timestamptz, $15::jsonb, $16
FROM notification_templates
WHERE notification_type = $2::text AND channel = $3::text AND language = $4::text
ON CONFLICT (template_id) DO NOTHING
RETURNING version;
