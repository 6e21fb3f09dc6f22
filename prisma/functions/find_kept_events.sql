-- Finds which requests keep lifecycle events in a day's partition of delivery_events that is to be let go. Requests that are over
-- were deleted before (forget_requests): what is left of that age is kept for a reason. It takes no lock that anybody waits for.
--
-- In:  the day (UTC); the instant and id of the request to go on after; how many requests to look at; at most how many events
--      to count
-- Out: one row: the last request looked at (NULL: there was none), whether none is left behind it, those that have events in the
--      day, and how many events these are: one more than `most_events` where there are more
CREATE OR REPLACE FUNCTION find_kept_events(day date, after_at timestamptz, after_id uuid, most int, most_events int)
RETURNS TABLE ("lastAt" timestamptz, "lastId" uuid, "isLast" boolean, kept uuid[], events int)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off
-- Each request is looked up in the day by itself: a join of any other kind would read all of the day.
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'WITH page AS MATERIALIZED (
       SELECT r.created_at, r.request_id FROM notification_requests r
       WHERE (r.created_at, r.request_id) > ($1, $2) AND r.created_at < $3
       ORDER BY r.created_at, r.request_id
       LIMIT $4
     ), found AS MATERIALIZED (
       SELECT page.request_id
       FROM page CROSS JOIN LATERAL (
         SELECT FROM %I e WHERE e.request_id = page.request_id ORDER BY e.number LIMIT $5 + 1) AS e
       LIMIT $5 + 1
     ), last AS (
       SELECT page.created_at, page.request_id FROM page ORDER BY page.created_at DESC, page.request_id DESC LIMIT 1
     )
     SELECT (SELECT last.created_at FROM last), (SELECT last.request_id FROM last), (SELECT count(*) FROM page) < $4,
            ARRAY(SELECT DISTINCT found.request_id FROM found), (SELECT count(*) FROM found)::int',
    'delivery_events_' || to_char(day, 'YYYYMMDD'))
  USING after_at, after_id, (day + 1)::timestamp AT TIME ZONE 'UTC', most, most_events;
END;
$$;
