-- Makes the partitions of delivery_events for the days after `today`, so that a day never begins without its own.
-- Today itself stays in the default partition if nobody was there yesterday to make it.
--
-- In:  today (UTC), days: how many days ahead
-- Out: how many partitions it made. A day whose rows lie in the default partition already is left there.
--      Where somebody uses the default partition for longer than it waits, as a dump does, that day is left for the next call.
--
-- Promises
--   A statement that writes or reads events of a day that has its partition never waits for this call.
CREATE OR REPLACE FUNCTION ensure_delivery_event_partitions(today date, days int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  made int := 0;
  day date;
  partition text;
BEGIN
  -- Statements that need the default partition must not queue behind a lock request that waits; the next call tries again.
  PERFORM set_config('lock_timeout', '50ms', true);
  FOR i IN 1 .. days LOOP
    day := today + i;
    partition := 'delivery_events_' || to_char(day, 'YYYYMMDD');
    -- Looking first costs no lock. Made apart and attached it locks the default partition alone, where PARTITION OF would
    -- lock all of delivery_events.
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE delivery_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
      EXECUTE format('ALTER TABLE delivery_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        partition, to_char(day, 'YYYY-MM-DD" 00:00:00+00"'), to_char(day + 1, 'YYYY-MM-DD" 00:00:00+00"'));
      made := made + 1;
    EXCEPTION WHEN check_violation OR duplicate_table OR lock_not_available THEN
      NULL;
    END;
  END LOOP;
  RETURN made;
END;
$$;
