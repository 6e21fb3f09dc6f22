-- Drops the partitions of delivery_events for days that are to be let go. Events of requests that are still kept move to
-- the default partition, where they stay for as long as their request does.
--
-- In:  the first day that is kept (UTC); at most how many events a day may have to be moved
-- Out: how many days it dropped. A day of which more is kept stays until less is. A table that is busy for half a second
--      is left for the next call.
CREATE OR REPLACE FUNCTION forget_event_days(first_kept date, most_moved int) RETURNS int
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  dropped int := 0;
  partition text;
  kept int;
  -- A day's events are of requests that were there by its end, and those that are over were deleted before.
  kept_events constant text :=
    'SELECT e.* FROM notification_requests r CROSS JOIN LATERAL (SELECT * FROM %I e WHERE e.request_id = r.request_id) AS e '
    'WHERE r.created_at < %L';
  day_after text;
BEGIN
  -- Deliveries must not wait behind a lock that waits itself; the next call tries again.
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR partition, day_after IN
    SELECT c.relname, to_char(to_date(right(c.relname, 8), 'YYYYMMDD') + 1, 'YYYY-MM-DD" 00:00:00+00"')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'delivery_events'::regclass AND c.relname ~ '^delivery_events_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') < first_kept
    ORDER BY c.relname
  LOOP
    EXECUTE format('SELECT count(*) FROM (' || kept_events || ' LIMIT %s) AS kept', partition, day_after, most_moved + 1)
      INTO kept;
    CONTINUE WHEN kept > most_moved;
    BEGIN
      EXECUTE format('ALTER TABLE delivery_events DETACH PARTITION %I', partition);
      EXECUTE format('INSERT INTO delivery_events ' || kept_events, partition, day_after);
      EXECUTE format('DROP TABLE %I', partition);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
  RETURN dropped;
END;
$$;
