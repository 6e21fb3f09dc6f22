-- Takes a day's partition out of delivery_events, but for the events of some requests: these move to the default partition, where
-- they stay for as long as their request does. Nobody writes events while it runs: some milliseconds for a thousand events.
--
-- In:  the day (UTC); the requests whose events stay, as find_kept_events found them
-- Out: whether it did. Where it does not have its locks within 50 ms it did nothing: nobody has to wait behind it for longer.
CREATE OR REPLACE FUNCTION detach_event_day(day date, kept uuid[]) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  partition text := 'delivery_events_' || to_char(day, 'YYYYMMDD');
BEGIN
  PERFORM set_config('lock_timeout', '50ms', true);
  -- They happened long ago: no webhook gets them again.
  PERFORM set_config('tidings.moves_events', 'on', true);
  -- Keeps these requests from being deleted. They are locked before the table, since a transaction that has locked one may be
  -- about to write an event.
  kept := ARRAY(
    SELECT r.request_id FROM notification_requests r WHERE r.request_id = ANY (kept) ORDER BY r.request_id FOR KEY SHARE);
  EXECUTE format('ALTER TABLE delivery_events DETACH PARTITION %I', partition);
  EXECUTE format(
    'INSERT INTO delivery_events
     SELECT e.* FROM unnest($1) AS k (request_id)
     CROSS JOIN LATERAL (SELECT * FROM %I e WHERE e.request_id = k.request_id OFFSET 0) AS e', partition) USING kept;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;
