-- Makes the partitions of a table that is partitioned by time for this month and those after it, so that a month never begins without
-- its own. What is covered by another partition is left as it is. Each has the storage parameters of the default partition.
--
-- In:  the table; today (UTC); how many months ahead
-- Out: how many partitions it made. A month whose rows lie in the default partition already is left there.
--      Where somebody uses the default partition for longer than it waits, as a dump does, that month is left for the next call.
CREATE OR REPLACE FUNCTION ensure_month_partitions(parent text, today date, months int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  made int := 0;
  month date;
  storage text := coalesce((
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = to_regclass(parent || '_default')), '');
BEGIN
  -- Whoever writes must not wait behind a lock that waits itself; the next call tries again.
  PERFORM set_config('lock_timeout', '50ms', true);
  FOR i IN 0 .. months LOOP
    month := date_trunc('month', today) + i * interval '1 month';
    -- Looking first costs no lock. Made apart and attached it locks the default partition alone, where PARTITION OF would
    -- lock the whole table.
    -- What has begun by then and ends later covers it; a clock that was ahead may have made later ones before.
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = parent::regclass AND partition_until(inhrelid) > month::timestamp AT TIME ZONE 'UTC'
        AND coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity')
            <= month::timestamp AT TIME ZONE 'UTC');
    BEGIN
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)%s',
        parent || to_char(month, '_YYYYMM'), parent, storage);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        parent, parent || to_char(month, '_YYYYMM'), to_char(month, 'YYYY-MM-DD" 00:00:00+00"'),
        to_char(month + interval '1 month', 'YYYY-MM-DD" 00:00:00+00"'));
      made := made + 1;
    EXCEPTION WHEN check_violation OR duplicate_table OR lock_not_available THEN
      NULL;
    END;
  END LOOP;
  RETURN made;
END;
$$;
