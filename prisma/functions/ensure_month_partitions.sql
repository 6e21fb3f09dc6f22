-- Makes the partitions of a table that is partitioned by time for this month and those after it, so that a month never begins without
-- its own. What is covered by another partition is left as it is. Each has the storage parameters of the default partition.
--
-- Rows of a month that lie in the default partition already, as clocks that were ahead write them, move to the month's: 1,000 at most, so
-- that nobody waits for longer than some hundredths of a second. Where there are more, the partition begins with the day behind those that
-- cannot move.
--
-- In:  the table; today (UTC); how many months ahead
-- Out: how many partitions it made. None where the last day of a month has too many rows already.
--      Where somebody uses the default partition for longer than it waits, as a dump does, that month is left for the next call.
--
-- Promises
--   Rows are moved without the triggers of the table, which fire for statements that name the whole of it.
CREATE OR REPLACE FUNCTION ensure_month_partitions(parent text, today date, months int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  most_moved CONSTANT int := 1000;
  made int := 0;
  month date;
  partition text;
  begin_at timestamptz;
  end_at timestamptz;
  last_to_stay timestamptz;
  standard text := parent || '_default';
  key text := (
    SELECT a.attname FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = to_regclass(parent));
  storage text := coalesce((
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = to_regclass(parent || '_default')), '');
BEGIN
  -- Writers must not queue behind a lock request that waits itself; the next call tries again.
  PERFORM set_config('lock_timeout', '50ms', true);
  FOR i IN 0 .. months LOOP
    month := date_trunc('month', today) + i * interval '1 month';
    begin_at := month::timestamp AT TIME ZONE 'UTC';
    end_at := (month + interval '1 month')::timestamp AT TIME ZONE 'UTC';
    partition := parent || to_char(month, '_YYYYMM');
    -- Looking first costs no lock. Made apart and attached it locks the default partition alone, where PARTITION OF would
    -- lock the whole table. A clock that was ahead may have made later ones before.
    CONTINUE WHEN has_month_partition(parent, month);
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)%s', partition, parent, storage);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', standard);
      EXECUTE format('SELECT %1$I FROM %2$I WHERE %1$I >= $1 AND %1$I < $2 ORDER BY %1$I DESC OFFSET $3 LIMIT 1', key, standard)
        USING begin_at, end_at, most_moved INTO last_to_stay;
      IF last_to_stay IS NOT NULL THEN
        begin_at := (date_trunc('day', last_to_stay AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC';
      END IF;
      IF begin_at >= end_at THEN
        RAISE lock_not_available;
      END IF;
      EXECUTE format(
        'WITH moved AS (DELETE FROM %1$I WHERE %2$I >= $1 AND %2$I < $2 RETURNING *) INSERT INTO %3$I SELECT * FROM moved',
        standard, key, partition) USING begin_at, end_at;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, begin_at, end_at);
      made := made + 1;
    EXCEPTION WHEN duplicate_table OR lock_not_available THEN
      NULL;
    END;
  END LOOP;
  RETURN made;
END;
$$;
