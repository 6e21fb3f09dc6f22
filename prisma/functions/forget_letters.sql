-- Deletes the audit records of deliveries that went with their month, while it is taken out and not dropped yet.
--
-- In:  the month: the end of its partitions' names; the delivery to go on after; how many records to look at
-- Out: one row: the last record looked at (NULL: there was none), whether none is left behind it
CREATE OR REPLACE FUNCTION forget_letters(month text, after_id uuid, most int)
RETURNS TABLE ("lastId" uuid, "isLast" boolean)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
BEGIN
  IF to_regclass('deliveries_' || month) IS NULL THEN
    RETURN QUERY SELECT NULL::uuid, true;
    RETURN;
  END IF;
  RETURN QUERY EXECUTE format(
    'WITH page AS MATERIALIZED (
       SELECT f.delivery_id FROM failed_notifications f WHERE f.delivery_id > $1 ORDER BY f.delivery_id LIMIT $2
     ), gone AS (
       DELETE FROM failed_notifications f
       WHERE f.settled_at IS NOT NULL AND f.delivery_id = ANY (ARRAY(
         SELECT page.delivery_id FROM page
         WHERE EXISTS (SELECT FROM %I d WHERE d.delivery_id = page.delivery_id)
           AND NOT EXISTS (
             SELECT FROM deliveries d WHERE d.delivery_id = page.delivery_id AND d.created_at >= uuid_earliest(page.delivery_id))))
     )
     SELECT (SELECT page.delivery_id FROM page ORDER BY page.delivery_id DESC LIMIT 1), (SELECT count(*) FROM page) < $2',
    'deliveries_' || month)
  USING after_id, most;
END;
$$;
