-- Drops what detach_archived_partition took out of the log.
--
-- In:  the partition's first position
-- Out: whether it is gone. Where somebody uses it for longer than 50 ms it did nothing.
CREATE OR REPLACE FUNCTION drop_archived_partition(begin_position bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  partition text := format('events_from_%s', begin_position);
BEGIN
  PERFORM set_config('lock_timeout', '50ms', true);
  -- Nobody restores it meanwhile: what a restored partition is called, this would drop.
  PERFORM FROM event_partitions WHERE from_position = begin_position AND archived_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND OR EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(partition)) THEN
    RAISE EXCEPTION 'the partition from position % is not archived', begin_position;
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS %I', partition);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;
