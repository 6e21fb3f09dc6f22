-- Takes a partition out of the log whose events are in the archive. It is dropped in a call of its own, see drop_partition.
--
-- In:  the partition's first position; the key of its manifest, which was written and read back
-- Out: whether it is out. Where it does not have the log's lock within 50 ms and each other one within 1 ms it did nothing: nobody has to
--      wait behind it for longer.
--
-- Promises
--   Nothing is taken out before each of its events stands in a verified chunk by position, and in one by stream.
--   Nothing is taken out that a projector, and so the outgoing stream, has not passed.
--   Nothing is taken out that the log does not go on behind: an empty one would begin anew.
--   Partitions go in the log's order: what is archived is all before a position.
CREATE OR REPLACE FUNCTION detach_archived_partition(begin_position bigint, manifest text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  p event_partitions%ROWTYPE;
  partition text;
  size bigint;
  first_position bigint;
BEGIN
  PERFORM set_config('lock_timeout', '50ms', true);
  SELECT * INTO p FROM event_partitions WHERE from_position = begin_position FOR UPDATE;
  IF p.archived_at IS NOT NULL THEN
    RETURN true;
  END IF;
  IF p.sealed_at IS NULL THEN
    RAISE EXCEPTION 'the partition from position % is not sealed', begin_position;
  END IF;
  first_position := (SELECT min(global_position) FROM events);
  IF first_position IS DISTINCT FROM begin_position THEN
    RAISE EXCEPTION 'the partition from position % is not the first: the log begins at %', begin_position, first_position;
  END IF;
  size := p.until_position - p.from_position;
  IF EXISTS (
    SELECT FROM (VALUES ('position'), ('stream')) AS sorts (sorted_by)
    WHERE size IS DISTINCT FROM (
      SELECT sum(c.events) FROM event_archive_chunks c
      WHERE c.from_position = begin_position AND c.sorted_by = sorts.sorted_by AND c.verified_at IS NOT NULL))
  THEN
    RAISE EXCEPTION 'the archive of the partition from position % is not whole', begin_position;
  END IF;
  IF NOT EXISTS (SELECT FROM events WHERE global_position >= p.until_position) THEN
    RETURN false;
  END IF;
  IF EXISTS (SELECT FROM projectors WHERE coalesce(projector_position(projector_name), 0) < p.until_position - 1) THEN
    RETURN false;
  END IF;
  SELECT i.inhrelid::regclass INTO partition
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass
      AND (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''(\d+)''\)'))[1]::bigint = begin_position;
  LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE;
  PERFORM set_config('lock_timeout', '1ms', true);
  EXECUTE format('ALTER TABLE events DETACH PARTITION %s', partition);
  UPDATE event_partitions SET archived_at = clock_timestamp(), archive_manifest = manifest, archive_order = 'C',
      archived_bytes = (SELECT sum(c.bytes) FROM event_archive_chunks c WHERE c.from_position = begin_position)
    WHERE from_position = begin_position;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;
