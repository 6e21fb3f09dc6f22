-- name: put
-- Puts notifications into inboxes. One that is there already stays as it is. Every new one takes its inbox's next number
-- under the inbox's lock, so that whoever has read up to a number has missed nothing below it; inboxes are locked in one
-- order for all.
-- In: $1 a JSON array of items, in order; $2 now
WITH wanted AS (
  SELECT DISTINCT ON (w."itemId") w.*
  FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (
    "itemId" uuid, "userId" text, "notificationType" text, title text, body text, "actionUrl" text, "imageUrl" text
  )) WITH ORDINALITY AS w ("itemId", "userId", "notificationType", title, body, "actionUrl", "imageUrl", place)
  WHERE NOT EXISTS (SELECT FROM inbox_items i WHERE i.item_id = w."itemId")
  ORDER BY w."itemId", w.place
), inbox AS (
  INSERT INTO inboxes (user_id, last_change)
  SELECT "userId", count(*) FROM wanted GROUP BY "userId" ORDER BY "userId"
  ON CONFLICT (user_id) DO UPDATE SET last_change = inboxes.last_change + excluded.last_change
  RETURNING user_id, last_change
)
INSERT INTO inbox_items (item_id, user_id, notification_type, title, body, action_url, image_url, created_at, change)
SELECT w."itemId", w."userId", w."notificationType", w.title, w.body, w."actionUrl", w."imageUrl", $2,
       inbox.last_change + 1 - row_number() OVER (PARTITION BY w."userId" ORDER BY w.place DESC)
FROM wanted w JOIN inbox ON inbox.user_id = w."userId"
ON CONFLICT (item_id) DO NOTHING;
