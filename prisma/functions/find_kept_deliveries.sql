-- Finds of which requests something has to stay in a month of deliveries that is to be dropped. It takes no lock that anybody waits for.
--
-- In:  the month: the end of its partitions' names; the delivery to go on after; before which instant everything must have been over;
--      how many deliveries to look at; at most how many to count; requests that are known to stay
-- Out: one row: the last delivery looked at (NULL: there was none), whether none is left behind it, the other requests of which
--      something stays, and how many deliveries they have in the month: one more than `most_kept` where there are more
--
-- Promises
--   Kept is a request as forget_requests_of keeps it, and one that has deliveries in several months: they go together.
--   What is over may come to wait again until the month goes: a provider reports a failure late, and an operator retries the delivery.
--   detach_month looks for both.
CREATE OR REPLACE FUNCTION find_kept_deliveries(month text, after_id uuid, before timestamptz, most int, most_kept int, known uuid[])
RETURNS TABLE ("lastId" uuid, "isLast" boolean, kept uuid[], deliveries int)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off
-- Each delivery is looked up by itself: a join of any other kind would read all of a table.
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'WITH page AS MATERIALIZED (
       SELECT d.delivery_id, d.request_id, d.status, d.suppression, d.fallback_for_id, coalesce(d.queued_at, d.created_at) AS queued_at
       FROM %1$I d
       WHERE d.delivery_id > $1
       ORDER BY d.delivery_id
       LIMIT $2
     ), found AS MATERIALIZED (
       SELECT DISTINCT page.request_id
       FROM page LEFT JOIN LATERAL (
         SELECT f.failed_at, f.settled_at FROM failed_notifications f WHERE f.delivery_id = page.delivery_id OFFSET 0) AS f ON true
       WHERE page.request_id <> ALL ($5) AND (page.status IN (''SCHEDULED'', ''QUEUED'', ''RETRYING'')
         OR page.queued_at >= $3
         OR page.suppression = ''DIGESTED'' AND EXISTS (
           SELECT FROM digest_items i WHERE i.delivery_id = page.delivery_id OFFSET 0)
         OR EXISTS (SELECT FROM %2$I r WHERE r.request_id = page.request_id AND r.schedule_at >= $3)
         OR f.failed_at IS NOT NULL AND (f.settled_at IS NULL OR greatest(f.failed_at, f.settled_at) >= $3)
         -- A fallback may be made in a later month than its request.
         OR page.fallback_for_id IS NOT NULL AND EXISTS (
           SELECT FROM notification_requests r WHERE r.request_id = page.request_id AND r.tableoid <> %2$L::regclass)
         OR (f.failed_at IS NOT NULL OR page.fallback_for_id IS NOT NULL) AND EXISTS (
           SELECT FROM deliveries o WHERE o.request_id = page.request_id AND o.tableoid <> %1$L::regclass))
     )
     SELECT (SELECT page.delivery_id FROM page ORDER BY page.delivery_id DESC LIMIT 1), (SELECT count(*) FROM page) < $2,
            ARRAY(SELECT found.request_id FROM found),
            (SELECT count(*)::int FROM (
               SELECT FROM found CROSS JOIN LATERAL (
                 SELECT FROM %1$I d WHERE d.request_id = found.request_id LIMIT $4 + 1) AS d
               LIMIT $4 + 1) AS counted)',
    'deliveries_' || month, 'notification_requests_' || month)
  USING after_id, most, before, most_kept, known;
END;
$$;
