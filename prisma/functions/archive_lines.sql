-- Reads the next events of a sealed partition as lines of the archive (docs/event-archive.md): JSON as Postgres writes it, so that no
-- number loses a digit on its way.
--
-- In:  the partition's first position; 'position' or 'stream': the order; behind which position, or which place of which stream; how
--      many at most
CREATE OR REPLACE FUNCTION archive_lines(
  begin_position bigint, sorted_by text, after_position bigint, after_stream text, after_place int, at_most int)
RETURNS TABLE (line text, "position" bigint, stream text, place int, created_at timestamptz)
LANGUAGE plpgsql STABLE
-- In the order of an index, whatever the planner thinks of the rest.
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
DECLARE
  partition text := (
    SELECT i.inhrelid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass
      AND (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''(\d+)''\)'))[1]::bigint = begin_position);
  lines text := 'SELECT json_build_object(
      ''position'', e.global_position, ''stream'', e.stream_id, ''place'', e.stream_position, ''type'', e.event_type,
      ''data'', e.data, ''metadata'', e.metadata,
      ''createdAt'', to_char(e.created_at AT TIME ZONE ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.US"Z"''))::text,
    e.global_position, e.stream_id::text, e.stream_position, e.created_at';
BEGIN
  IF partition IS NULL THEN
    RAISE EXCEPTION 'no partition of the log begins at position %', begin_position;
  END IF;
  IF sorted_by = 'position' THEN
    RETURN QUERY EXECUTE format('%s FROM %s e WHERE e.global_position > $1 ORDER BY e.global_position LIMIT $2', lines, partition)
      USING after_position, at_most;
  ELSE
    RETURN QUERY EXECUTE format(
      '%s FROM %s e WHERE (e.stream_id, e.stream_position) > ($1, $2) ORDER BY e.stream_id, e.stream_position LIMIT $3', lines, partition)
      USING after_stream, after_place, at_most;
  END IF;
END;
$$;
