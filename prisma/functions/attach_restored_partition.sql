-- Makes what restore_events filled a partition of the log again. Readers and writers go on meanwhile.
--
-- In:  the partition's first position. Only the last of the archived partitions: what is archived is all before a position.
CREATE OR REPLACE FUNCTION attach_restored_partition(begin_position bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  p event_partitions%ROWTYPE;
  restored text := format('events_restored_from_%s', begin_position);
  partition text := format('events_from_%s', begin_position);
  counted bigint;
BEGIN
  PERFORM set_config('lock_timeout', '2s', true);
  SELECT * INTO p FROM event_partitions WHERE from_position = begin_position FOR UPDATE;
  IF p.archived_at IS NULL OR p.until_position IS DISTINCT FROM (SELECT min(global_position) FROM events) THEN
    RAISE EXCEPTION 'the partition from position % is not the last that is archived', begin_position;
  END IF;
  EXECUTE format('SELECT count(*) FROM %I WHERE global_position >= $1 AND global_position < $2', restored)
    INTO counted USING p.from_position, p.until_position;
  IF counted <> p.until_position - p.from_position THEN
    RAISE EXCEPTION 'of the partition from position % there are % events, and % were archived', begin_position, counted,
      p.until_position - p.from_position;
  END IF;
  EXECUTE format('ALTER TABLE %I RENAME TO %I', restored, partition);
  EXECUTE format('ALTER INDEX %I RENAME TO %I', restored || '_stream', partition || '_stream');
  EXECUTE format('CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
  EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER events_are_append_only', partition);
  EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, p.from_position, p.until_position);
  UPDATE event_partitions SET archived_at = NULL, archived_bytes = NULL, archive_order = NULL WHERE from_position = begin_position;
  -- Before it is archived again its objects are read back again, and written again where they are in another order.
  UPDATE event_archive_chunks SET verified_at = NULL WHERE from_position = begin_position;
  DELETE FROM event_archive_chunks
    WHERE from_position = begin_position AND sorted_by = 'stream' AND p.archive_order IS DISTINCT FROM 'C';
END;
$$;
