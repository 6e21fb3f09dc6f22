-- name: typeOf
-- In: $1 a template id
SELECT notification_type AS type FROM notification_templates WHERE template_id = $1;

-- name: activeOfType
-- In: $1 a notification type, $2 channels
-- type: channel = import('../channels.js').Channel
-- type: variables = import('./render.js').VariableSchema
-- type: pushOptions = import('./push-options.js').PushOptions
SELECT template_id AS "templateId", channel, language, version, title, subject, body, html_body AS "htmlBody",
       image_url AS "imageUrl", action_url AS "actionUrl", variables, push_options AS "pushOptions"
FROM notification_templates
WHERE notification_type = $1 AND is_active AND channel = ANY ($2::text[]);

-- name: exactly
-- In: $1 a template id
-- type: channel = import('../channels.js').Channel
-- type: variables = import('./render.js').VariableSchema
-- type: pushOptions = import('./push-options.js').PushOptions
SELECT notification_type AS "notificationType", template_id AS "templateId", channel, language, version, title, subject, body, html_body AS "htmlBody",
       image_url AS "imageUrl", action_url AS "actionUrl", variables, push_options AS "pushOptions"
FROM notification_templates
WHERE template_id = $1;
