-- Appends one command of one stream, without an inline projection, as append_commands would where it came alone: without what a
-- batch takes: arrays, joins and a loop. What append_commands promises holds here.
--
-- In:  the life that it rests on (see server_life), NULL: whichever it is; the command's id, hash, metadata and the value of its result;
--      the stream and where it is expected to be (-1: no such stream; NULL: anywhere); types and data of its events
-- Out: outcome and result as append_commands answers them; where the life is another: nothing was appended, and the outcome is NULL
CREATE OR REPLACE FUNCTION append_command(
  expected_life text,
  cmd_id text, cmd_hash bytea, cmd_meta jsonb, cmd_value jsonb,
  stream text, expected int,
  ev_types text[], ev_datas jsonb[],
  OUT outcome text, OUT result jsonb
)
LANGUAGE plpgsql
-- As in append_commands.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  last_position bigint;
  last_created timestamptz;
  t timestamptz;
  first_hash bytea;
  sealed_until bigint;
  version int;
  added int := cardinality(ev_types);
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'append_command needs READ COMMITTED: a snapshot older than the lock loses events';
  END IF;
  IF (CASE WHEN expected_life IS NULL THEN false ELSE server_life() <> expected_life END) THEN
    RETURN;
  END IF;
  -- A statement of its own: what follows sees everything that committed before.
  PERFORM pg_advisory_xact_lock(7236837468201);

  SELECT c.result, c.body_hash INTO result, first_hash FROM commands c WHERE c.command_id = cmd_id;
  IF FOUND THEN
    IF first_hash <> cmd_hash THEN
      outcome := 'reused';
      result := NULL;
    ELSE
      outcome := 'repeated';
      -- As in append_commands: the first try may not be on the synchronous standby yet.
      PERFORM pg_logical_emit_message(true, 'tidings', '');
    END IF;
    RETURN;
  END IF;

  -- The log's last event is never in a sealed partition. Partitions that are sealed after this are looked into once more.
  sealed_until := coalesce((SELECT max(p.until_position) FROM event_partitions p WHERE p.sealed_at IS NOT NULL), 1);
  SELECT e.global_position, e.created_at INTO last_position, last_created
    FROM events e WHERE e.global_position >= sealed_until ORDER BY e.global_position DESC LIMIT 1;
  last_position := coalesce(last_position, 0);
  t := greatest(last_created, clock_timestamp());
  version := coalesce(
    (SELECT e.stream_position FROM events e WHERE e.stream_id = stream AND e.global_position >= sealed_until
     ORDER BY e.stream_position DESC LIMIT 1),
    (SELECT p.last_position FROM stream_partitions p WHERE p.stream_id = stream ORDER BY p.from_position DESC LIMIT 1),
    -1);
  IF expected <> version THEN
    outcome := 'conflict';
    result := jsonb_build_object('streamId', stream, 'expected', expected, 'actual', version);
    RETURN;
  END IF;

  INSERT INTO events (global_position, stream_id, stream_position, event_type, data, metadata, created_at)
    SELECT last_position + e.n, stream, version + e.n, e.type, e.data, cmd_meta, t
      FROM unnest(ev_types, ev_datas) WITH ORDINALITY AS e (type, data, n);
  outcome := 'accepted';
  result := jsonb_build_object('position', last_position + added,
    'versions', jsonb_build_object(stream, version + added), 'value', cmd_value);
  INSERT INTO commands (command_id, body_hash, result, created_at) VALUES (cmd_id, cmd_hash, result, t);
END;
$$;
