-- Reads the next events of a sealed partition as lines of the archive (docs/event-archive.md): JSON as Postgres writes it, so that no
-- number loses a digit on its way.
--
-- In:  the partition's first position; 'position' or 'stream': the order; behind which position, or which place of which stream; at most
--      how many events, and bytes: one event at least, however long it is
--
-- Streams are in the order of their ids' bytes, which stream_partitions has for its key: no collation of the database changes it.
CREATE OR REPLACE FUNCTION archive_lines(
  begin_position bigint, sorted_by text, after_position bigint, after_stream text, after_place int, at_most int, most_bytes int)
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
  bytes bigint := 0;
BEGIN
  IF partition IS NULL THEN
    RAISE EXCEPTION 'no partition of the log begins at position %', begin_position;
  END IF;
  IF sorted_by = 'position' THEN
    lines := format('%s FROM %s e WHERE e.global_position > $1 ORDER BY e.global_position LIMIT $4', lines, partition);
  ELSE
    -- Read lazily, stream by stream.
    lines := format(
      'WITH streams AS MATERIALIZED (
         SELECT s.stream_id, CASE WHEN s.stream_id = $2 THEN $3 ELSE -1 END AS after_place
         FROM stream_partitions s
         WHERE s.from_position = $5 AND s.stream_id >= $2 AND NOT (s.stream_id = $2 AND s.last_position <= $3)
         ORDER BY s.stream_id LIMIT $4
       ) %s
       FROM streams CROSS JOIN LATERAL (
         SELECT * FROM %s
         WHERE stream_id = streams.stream_id COLLATE "default" AND stream_position > streams.after_place
         ORDER BY stream_position
       ) AS e LIMIT $4', lines, partition);
  END IF;
  FOR line, "position", stream, place, created_at IN
    EXECUTE lines USING after_position, after_stream, after_place, at_most, begin_position
  LOOP
    EXIT WHEN bytes > 0 AND bytes + octet_length(line) > most_bytes;
    bytes := bytes + octet_length(line);
    RETURN NEXT;
  END LOOP;
END;
$$;
