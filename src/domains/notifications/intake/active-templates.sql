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
