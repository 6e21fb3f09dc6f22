-- Puts notifications into inboxes. One that is there already stays as it is. Every new one takes its inbox's next number under the
-- inbox's lock, so that a reader who has read up to a number has missed nothing below it.
--
-- In:  a JSON array of items {itemId, userId, notificationType, title, body, actionUrl, imageUrl}, in order; now
--
-- Promises
--   Inboxes are locked in one order for all, and whether an item exists is checked under its inbox's lock: a unique index of a
--   table that is partitioned by time could not enforce it.
--   No item comes before uuid_earliest of its id, whatever clocks say: it is looked for from there on.
CREATE OR REPLACE FUNCTION put_inbox_items(items jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO inboxes (user_id, last_change)
    SELECT DISTINCT i ->> 'userId', 0 FROM jsonb_array_elements(items) AS i ORDER BY 1
    ON CONFLICT (user_id) DO NOTHING;
  PERFORM FROM inboxes WHERE user_id = ANY (ARRAY(SELECT i ->> 'userId' FROM jsonb_array_elements(items) AS i)) ORDER BY user_id FOR UPDATE;

  WITH wanted AS (
    SELECT DISTINCT ON (w."itemId") w.*
    FROM ROWS FROM (jsonb_to_recordset(items) AS (
      "itemId" uuid, "userId" text, "notificationType" text, title text, body text, "actionUrl" text, "imageUrl" text
    )) WITH ORDINALITY AS w ("itemId", "userId", "notificationType", title, body, "actionUrl", "imageUrl", place)
    WHERE NOT EXISTS (
      SELECT FROM inbox_entries e WHERE e.item_id = w."itemId" AND e.created_at >= uuid_earliest(w."itemId"))
    ORDER BY w."itemId", w.place
  ), counted AS (
    SELECT w."userId", count(*) AS count FROM wanted w GROUP BY w."userId"
  ), numbered AS (
    UPDATE inboxes SET last_change = inboxes.last_change + counted.count
    FROM counted WHERE inboxes.user_id = counted."userId"
    RETURNING inboxes.user_id, inboxes.last_change
  )
  INSERT INTO inbox_entries (item_id, user_id, notification_type, title, body, action_url, image_url, created_at, change)
  SELECT w."itemId", w."userId", w."notificationType", w.title, w.body, w."actionUrl", w."imageUrl", greatest(at, uuid_earliest(w."itemId")),
         numbered.last_change + 1 - row_number() OVER (PARTITION BY w."userId" ORDER BY w.place DESC)
  FROM wanted w JOIN numbered ON numbered.user_id = w."userId"
  -- A process of the former version may just have put it.
  ON CONFLICT DO NOTHING;
END;
$$;
