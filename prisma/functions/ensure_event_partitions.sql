-- Makes the next partition of the log before the last one is half full, so that no event comes without one.
--
-- In:  size: how many positions a new partition has
-- Out: how many it made. None, until the next call, where another session is at it, or where a lock does not come within half
--      a second.
CREATE OR REPLACE FUNCTION ensure_event_partitions(size bigint DEFAULT 50000000) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  made int := 0;
  head bigint;
  bound bigint;
  partition text;
BEGIN
  -- Of the readers and writers of the log nobody waits for the locks that this takes; others that change it may.
  PERFORM set_config('lock_timeout', '500ms', true);
  IF NOT pg_try_advisory_xact_lock(7236837468202) THEN
    RETURN 0;
  END IF;
  LOOP
    head := coalesce((SELECT max(global_position) FROM events), 0);
    bound := (SELECT max((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''(\d+)''\)'))[1]::bigint)
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass);
    EXIT WHEN head < bound - size / 2;
    partition := format('events_from_%s', bound);
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', partition);
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I (stream_id, stream_position)', partition || '_stream', partition);
      EXECUTE format('CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
      EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER events_are_append_only', partition);
      -- An attachment lets readers and writers go on, which CREATE TABLE … PARTITION OF would not.
      EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, bound, bound + size);
    EXCEPTION WHEN lock_not_available THEN
      RETURN made;
    END;
    made := made + 1;
  END LOOP;
  RETURN made;
END;
$$;
