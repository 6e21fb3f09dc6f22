-- Puts notifications into inboxes. One that is there already stays as it is, unless it is a later revision of a group's: that takes
-- the item's place, unread and at the top. Every new one takes its inbox's next number under the inbox's lock, so that a reader who has
-- read up to a number has missed nothing below it.
--
-- In:  a JSON array of items {itemId, userId, notificationType, title, body, actionUrl, imageUrl}, in order, of groups also
--      {deliveryId, revision, actorCount}: the delivery that brings it, which of the group's it is, how many people it is about; now
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
      "itemId" uuid, "userId" text, "notificationType" text, title text, body text, "actionUrl" text, "imageUrl" text,
      "deliveryId" uuid, revision int, "actorCount" int
    )) WITH ORDINALITY AS w ("itemId", "userId", "notificationType", title, body, "actionUrl", "imageUrl", "deliveryId", revision,
                             "actorCount", place)
    ORDER BY w."itemId", w.revision DESC NULLS LAST, w.place
  ), due AS (
    SELECT w.*, known.created_at AS known_at
    FROM wanted w LEFT JOIN LATERAL (
      SELECT e.created_at, e.revision FROM inbox_entries e
      WHERE e.item_id = w."itemId" AND e.created_at >= uuid_earliest(w."itemId") LIMIT 1) AS known ON true
    WHERE known.created_at IS NULL OR w.revision > coalesce(known.revision, 0)
  ), counted AS (
    SELECT d."userId", count(*) AS count FROM due d GROUP BY d."userId"
  ), numbered AS (
    UPDATE inboxes SET last_change = inboxes.last_change + counted.count
    FROM counted WHERE inboxes.user_id = counted."userId"
    RETURNING inboxes.user_id, inboxes.last_change
  ), changes AS (
    SELECT d.*, numbered.last_change + 1 - row_number() OVER (PARTITION BY d."userId" ORDER BY d.place DESC) AS change
    FROM due d JOIN numbered ON numbered.user_id = d."userId"
  ), renewed AS (
    -- It may have come in an earlier month, in another partition: nobody else changes it, since they would hold the inbox's lock.
    UPDATE inbox_entries e
    SET title = c.title, body = c.body, action_url = c."actionUrl", image_url = c."imageUrl", created_at = greatest(at, e.created_at),
        read_at = NULL, archived_at = NULL, change = c.change, delivery_id = c."deliveryId", revision = c.revision,
        actor_count = c."actorCount"
    FROM changes c
    WHERE c.known_at IS NOT NULL AND e.item_id = c."itemId" AND e.created_at = c.known_at
  )
  INSERT INTO inbox_entries (item_id, user_id, notification_type, title, body, action_url, image_url, created_at, change, delivery_id,
                             revision, actor_count)
  SELECT c."itemId", c."userId", c."notificationType", c.title, c.body, c."actionUrl", c."imageUrl", greatest(at, uuid_earliest(c."itemId")),
         c.change, c."deliveryId", c.revision, c."actorCount"
  FROM changes c
  WHERE c.known_at IS NULL
  -- A process of the former version may just have put it.
  ON CONFLICT DO NOTHING;
END;
$$;
