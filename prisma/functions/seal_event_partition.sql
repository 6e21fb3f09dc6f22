-- Takes one step towards sealing the next partition of the log: it records some more of the streams that have events
-- in the partition. With the last of them the partition is sealed: from then on it is read only for streams that have events in it.
--
-- In:  entries: how many events' entries in the index by stream are read at most
-- Out: whether there is more to do. Not where another session is at it, or where the next partition can still get events.
--
-- Promises
--   A partition is sealed once all of its positions are committed, which is so when the position after it exists: positions are in
--   commit order.
--   So the log's last partition is never sealed, nor archived: Postgres always knows the log's last position.
--   Partitions are sealed in the log's order.
--   What a row of stream_partitions says of a stream is true from the moment it is written.
--   It can be killed at any moment, and goes on where it was.
CREATE OR REPLACE FUNCTION seal_event_partition(entries int DEFAULT 20000) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  begin_position bigint;
  end_position bigint;
  partition text;
  seen text;
  counted bigint;
  read_entries int;
  last_stream text;
  last_place int;
  added bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236837468203) THEN
    RETURN false;
  END IF;
  begin_position := coalesce((SELECT max(until_position) FROM event_partitions WHERE sealed_at IS NOT NULL), 1);
  SELECT c.oid::regclass, (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''(\d+)''\)'))[1]::bigint
    INTO partition, end_position
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass
      AND (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''(\d+)''\)'))[1]::bigint = begin_position;
  IF NOT coalesce((SELECT max(global_position) FROM events) >= end_position, false) THEN
    RETURN false;
  END IF;

  INSERT INTO event_partitions (from_position, until_position) VALUES (begin_position, end_position) ON CONFLICT DO NOTHING;
  SELECT p.indexed_stream, p.indexed_events INTO seen, counted FROM event_partitions p WHERE p.from_position = begin_position;
  EXECUTE format(
    'SELECT count(*), max(stream_id) FROM (
       SELECT stream_id FROM %s WHERE stream_id > $1 ORDER BY stream_id, stream_position LIMIT $2) AS b', partition)
    INTO read_entries, last_stream USING seen, entries;
  IF read_entries > 0 THEN
    -- The last stream's entries may go on behind those that were read.
    EXECUTE format('SELECT stream_position FROM %s WHERE stream_id = $1 ORDER BY stream_position DESC LIMIT 1', partition)
      INTO last_place USING last_stream;
    EXECUTE format(
      'WITH added AS (
         INSERT INTO stream_partitions (stream_id, from_position, until_position, first_position, last_position)
         SELECT stream_id, $3, $4, min(stream_position),
           CASE WHEN stream_id = $5 THEN $6 ELSE max(stream_position) END
         FROM (
           SELECT stream_id, stream_position FROM %s WHERE stream_id > $1 ORDER BY stream_id, stream_position LIMIT $2) AS b
         GROUP BY stream_id
         RETURNING last_position - first_position + 1 AS events)
       SELECT sum(events) FROM added', partition)
      INTO added USING seen, entries, begin_position, end_position, last_stream, last_place;
    counted := counted + added;
  END IF;
  IF read_entries = entries THEN
    UPDATE event_partitions SET indexed_stream = last_stream, indexed_events = counted WHERE from_position = begin_position;
    RETURN true;
  END IF;
  -- Places in a stream have no gaps, positions neither. Where they have, the partition stays one that is looked into.
  IF counted <> end_position - begin_position THEN
    RAISE EXCEPTION 'partition % of the log has % events of its streams, and % positions', partition, counted,
      end_position - begin_position;
  END IF;
  UPDATE event_partitions SET indexed_stream = coalesce(last_stream, seen), indexed_events = counted, sealed_at = clock_timestamp()
    WHERE from_position = begin_position;
  RETURN true;
END;
$$;
