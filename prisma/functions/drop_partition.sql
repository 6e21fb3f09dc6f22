-- Takes a partition out of its table, with all of its rows, or drops one that was taken out: two calls, so that no file is removed
-- under the lock of the table.
--
-- In:  the partition
-- Out: whether it did. Where it does not have its locks within 50 ms it did nothing: nobody has to wait behind it for longer.
CREATE OR REPLACE FUNCTION drop_partition(partition text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  parent regclass := (SELECT inhparent FROM pg_inherits WHERE inhrelid = to_regclass(partition));
BEGIN
  PERFORM set_config('lock_timeout', '50ms', true);
  IF parent IS NULL THEN
    EXECUTE format('DROP TABLE IF EXISTS %I', partition);
  ELSE
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %I', parent, partition);
  END IF;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;
