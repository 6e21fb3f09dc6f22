-- Adds a chunk of the archive to the table that an archived partition is restored into, if it goes on where that ends; makes the table
-- with the first. So of several sessions that restore one partition each goes on where another was.
--
-- In:  the partition's first position; lines of the archive in the order of their positions (none, to see how far it is)
-- Out: the last position in the table; the one before the partition's first where there is none
CREATE OR REPLACE FUNCTION restore_events(begin_position bigint, lines jsonb[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  partition text := format('events_restored_from_%s', begin_position);
  last_position bigint;
BEGIN
  -- One session at a time, for as long as the partition is archived.
  PERFORM FROM event_partitions WHERE from_position = begin_position AND archived_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the partition from position % is not archived', begin_position;
  END IF;
  IF to_regclass(partition) IS NULL THEN
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', partition);
    EXECUTE format('CREATE UNIQUE INDEX %I ON %I (stream_id, stream_position)', partition || '_stream', partition);
  END IF;
  EXECUTE format('SELECT max(global_position) FROM %I', partition) INTO last_position;
  last_position := coalesce(last_position, begin_position - 1);
  IF (lines[1] ->> 'position')::bigint = last_position + 1 THEN
    EXECUTE format(
      'INSERT INTO %I (global_position, stream_id, stream_position, event_type, data, metadata, created_at)
       SELECT (l ->> ''position'')::bigint, l ->> ''stream'', (l ->> ''place'')::int, l ->> ''type'', l -> ''data'', l -> ''metadata'',
         (l ->> ''createdAt'')::timestamptz
       FROM unnest($1) AS l', partition) USING lines;
    last_position := last_position + cardinality(lines);
  END IF;
  RETURN last_position;
END;
$$;
