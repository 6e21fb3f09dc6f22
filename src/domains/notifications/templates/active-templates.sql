-- name: typeOf
-- In: $1 a template id
SELECT notification_type AS type FROM notification_templates WHERE template_id = $1;

-- name: activeOfType
-- In: $1 a notification type, $2 channels
-- type: channel = import('../channels.js').Channel
-- type: variables = import('./render.js').VariableSchema
-- type: pushOptions = import('./push-options.js').PushOptions
-- type: syntax = import('./render.js').TemplateSyntax
SELECT template_id AS "templateId", channel, language, version, title, subject, body, html_body AS "htmlBody",
       image_url AS "imageUrl", action_url AS "actionUrl", variables, push_options AS "pushOptions", syntax
FROM notification_templates
WHERE notification_type = $1 AND is_active AND channel = ANY ($2::text[]);

-- name: exactly
-- In: $1 a template id
-- type: channel = import('../channels.js').Channel
-- type: variables = import('./render.js').VariableSchema
-- type: pushOptions = import('./push-options.js').PushOptions
-- type: syntax = import('./render.js').TemplateSyntax
SELECT notification_type AS "notificationType", template_id AS "templateId", channel, language, version, title, subject, body, html_body AS "htmlBody",
       image_url AS "imageUrl", action_url AS "actionUrl", variables, push_options AS "pushOptions", syntax
FROM notification_templates
WHERE template_id = $1;

-- name: partials
-- In: $1 types of partials, $2 channels, $3 languages (three arrays of one length)
-- Out: the active ones
-- type: channel = import('../channels.js').Channel
SELECT t.notification_type AS type, t.channel, t.language, t.body, t.html_body AS "htmlBody"
FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (type, channel, language)
JOIN notification_templates t ON t.notification_type = wanted.type AND t.channel = wanted.channel
                             AND t.language = wanted.language AND t.is_active;
