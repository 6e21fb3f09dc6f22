-- Looks whether anything of a partition of requests, deliveries or outcomes is needed: a request, a delivery whose request is there, an
-- outcome whose delivery is there. It takes no lock that anybody waits for.
--
-- In:  the partition; the id (of a request, else of a delivery) to go on after; how many rows to look at
-- Out: one row: the last id looked at (NULL: there was none), whether none is left behind it, whether something of the page is needed
CREATE OR REPLACE FUNCTION find_needed_rows(partition text, after_id uuid, most int)
RETURNS TABLE ("lastId" uuid, "isLast" boolean, "isNeeded" boolean)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  parent regclass := (SELECT inhparent FROM pg_inherits WHERE inhrelid = partition::regclass);
  id text := CASE parent WHEN 'notification_requests'::regclass THEN 'request_id' ELSE 'delivery_id' END;
  of text := CASE parent WHEN 'deliveries'::regclass THEN 'request_id' ELSE id END;
  needed text := CASE parent
    WHEN 'notification_requests'::regclass THEN 'true'
    WHEN 'deliveries'::regclass THEN
      'EXISTS (SELECT FROM notification_requests r WHERE r.request_id = page.of_id AND r.created_at >= uuid_earliest(page.of_id))'
    ELSE 'EXISTS (SELECT FROM deliveries d WHERE d.delivery_id = page.of_id AND d.created_at >= uuid_earliest(page.of_id))'
  END;
BEGIN
  RETURN QUERY EXECUTE format(
    'WITH page AS MATERIALIZED (SELECT %1$I AS id, %2$I AS of_id FROM %3$I WHERE %1$I > $1 ORDER BY %1$I LIMIT $2)
     SELECT (SELECT page.id FROM page ORDER BY page.id DESC LIMIT 1), (SELECT count(*) FROM page) < $2,
       EXISTS (SELECT FROM page WHERE %4$s)', id, of, partition, needed)
  USING after_id, most;
END;
$$;
