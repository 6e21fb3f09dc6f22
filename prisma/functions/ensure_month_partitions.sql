-- Makes the partitions of a table that is partitioned by time for this month and those after it, so that a month never begins without
-- its own. What is covered by another partition is left as it is. Each has the storage parameters of the default partition.
--
-- Rows of a month that lie in the default partition already, as clocks that were ahead write them, move to the month's: 1,000 at most, so
-- that nobody waits for longer than some hundredths of a second. Where there are more, the month gets partitions for the days, from today
-- on, whose rows can move; each is named after its first day. A call makes one partition of each month: call it until it makes none.
--
-- In:  the table; today (UTC); how many months ahead
-- Out: how many partitions it made. None of a day that has too many rows already: a later call makes it when they are gone.
--      Where somebody uses the default partition for longer than it waits, as a dump does, that month is left for a later call.
--      None where the default partition has more than `tidings.most_scanned_mb` (a setting of the session; 128): attaching one reads all of
--      the default partition while nobody can read or write that.
--
-- Promises
--   Rows are moved without the triggers of the table, which fire for statements that name the whole of it.
--   Where there is nothing to make, no lock is taken that anybody waits for.
CREATE OR REPLACE FUNCTION ensure_month_partitions(parent text, today date, months int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  most_moved CONSTANT int := 1000;
  most_scanned CONSTANT bigint := coalesce(nullif(current_setting('tidings.most_scanned_mb', true), '')::bigint, 128) * 1024 * 1024;
  made int := 0;
  month date;
  next_month date;
  day record;
  first_day date;
  last_day date;
  moved bigint;
  partition text;
  begin_at timestamptz;
  end_at timestamptz;
  standard text := parent || '_default';
  key text := (
    SELECT a.attname FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = to_regclass(parent));
  storage text := coalesce((
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = to_regclass(parent || '_default')), '');
BEGIN
  -- Writers must not queue behind a lock request that waits itself; a later call tries again.
  PERFORM set_config('lock_timeout', '50ms', true);
  FOR i IN 0 .. months LOOP
    month := date_trunc('month', today) + i * interval '1 month';
    next_month := month + interval '1 month';
    CONTINUE WHEN NOT EXISTS (SELECT FROM uncovered_days(parent, greatest(month, today), next_month));
    EXIT WHEN pg_relation_size(standard::regclass) > most_scanned;

    first_day := NULL;
    moved := 0;
    FOR day IN EXECUTE format(
      'SELECT date, coalesce(rows, 0) AS rows, count(*) OVER () = $3 - $2 AND coalesce(sum(rows) OVER (), 0) <= $4 AS is_whole
       FROM uncovered_days($1, $2, $3) AS date
       LEFT JOIN (
         SELECT (%1$I AT TIME ZONE ''UTC'')::date AS date, count(*) AS rows FROM %2$I
         WHERE %1$I >= $2::timestamp AT TIME ZONE ''UTC'' AND %1$I < $3::timestamp AT TIME ZONE ''UTC'' GROUP BY 1
       ) AS counts USING (date)
       ORDER BY date', key, standard) USING parent, month, next_month, most_moved
    LOOP
      CONTINUE WHEN day.date < today AND NOT day.is_whole;
      EXIT WHEN first_day IS NOT NULL AND (day.date > last_day + 1 OR moved + day.rows > most_moved);
      CONTINUE WHEN day.rows > most_moved;
      first_day := coalesce(first_day, day.date);
      last_day := day.date;
      moved := moved + day.rows;
    END LOOP;
    CONTINUE WHEN first_day IS NULL;

    partition := parent || to_char(first_day, CASE WHEN day.is_whole THEN '_YYYYMM' ELSE '_YYYYMMDD' END);
    begin_at := first_day::timestamp AT TIME ZONE 'UTC';
    end_at := (last_day + 1)::timestamp AT TIME ZONE 'UTC';
    BEGIN
      -- Made apart and attached it locks the default partition alone, where PARTITION OF would lock the whole table.
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)%s', partition, parent, storage);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', standard);
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
