-- Deletes the oldest items of what was all inboxes' one table before they were partitioned by month; it goes as a whole like any
-- other month once it is old. One that somebody is just marking is left for the next round.
--
-- In:  items from before this instant; the instant and item to go on after; at most so many
-- Out: one row: items looked at, the last one's instant and id (NULL: there was none), items deleted
CREATE OR REPLACE FUNCTION forget_inbox_items(before timestamptz, after_at timestamptz, after_id uuid, most int)
RETURNS TABLE (looked int, "lastAt" timestamptz, "lastId" uuid, forgotten int)
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
BEGIN
  IF to_regclass('inbox_items') IS NULL THEN
    RETURN QUERY SELECT 0, NULL::timestamptz, NULL::uuid, 0;
    RETURN;
  END IF;
  RETURN QUERY
  WITH old AS MATERIALIZED (
    SELECT i.created_at, i.item_id FROM inbox_items i
    WHERE i.created_at AT TIME ZONE 'UTC' < before AT TIME ZONE 'UTC'
      AND (i.created_at AT TIME ZONE 'UTC', i.item_id) > (after_at AT TIME ZONE 'UTC', after_id)
    ORDER BY i.created_at AT TIME ZONE 'UTC', i.item_id LIMIT most
  ), locked AS (
    SELECT i.item_id FROM inbox_items i WHERE i.item_id = ANY (ARRAY(SELECT item_id FROM old)) FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM inbox_items i WHERE i.item_id = ANY (ARRAY(SELECT item_id FROM locked)) RETURNING i.item_id
  ), last AS (
    SELECT old.created_at, old.item_id FROM old ORDER BY old.created_at DESC, old.item_id DESC LIMIT 1
  )
  SELECT (SELECT count(*) FROM old)::int, (SELECT created_at FROM last), (SELECT item_id FROM last), (SELECT count(*) FROM gone)::int;
END;
$$;
