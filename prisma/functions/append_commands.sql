-- Appends a batch of commands to the log: the one writer of `events` and `commands`, with append_command, which comes to the same for a
-- command that comes alone.
--
-- In (arrays; positions count from 1; `appends` and `events` are sorted by command)
--   cmd_ids, cmd_hashes, cmd_metas, cmd_values   one entry a command; value: what its result carries besides positions
--   cmd_guards, cmd_guard_args                   inline projection (see run_guard) and its argument, or NULL
--   streams                                      every stream that the batch names, once
--   app_cmds, app_streams, app_expected          command n expects stream m at this position; -1: no such stream; NULL: any
--   ev_cmds, ev_streams, ev_types, ev_datas      command n adds this event to stream m
-- Out: one row a command, in order
--   outcome 'accepted'  result = {position, versions: {stream: position}, value}; of every stream that the command names (-1: it has none)
--           'repeated'  the stored first result of this command id, which is as durable by then as that of a first try
--           'reused'    this command id was accepted with another body; result NULL
--           'conflict'  result = {streamId, expected, actual}
--           'refused'   result = the inline projection's {refuse, …}
--
-- Promises
--   Positions are gapless and in commit order: the lock is held from before the last position is read until commit.
--   The lock never spans a client round trip: the call is one autocommitted statement.
--   created_at never goes back.
--   A command that is not accepted writes nothing (an inline projection refuses before it writes), but for sums that are kept of what is there.
CREATE OR REPLACE FUNCTION append_commands(
  cmd_ids text[], cmd_hashes bytea[], cmd_metas jsonb[], cmd_values jsonb[], cmd_guards text[], cmd_guard_args jsonb[],
  streams text[],
  app_cmds int[], app_streams int[], app_expected int[],
  ev_cmds int[], ev_streams int[], ev_types text[], ev_datas jsonb[]
) RETURNS TABLE (outcome text, result jsonb)
LANGUAGE plpgsql
-- Planning anew for each batch size cost more than half of a lone append. A kept plan must not depend on how large the
-- tables were when it was made: index look-ups, always.
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
  versions int[];
  known jsonb[] := array_fill(NULL::jsonb, ARRAY[cardinality(cmd_ids)]);
  reused boolean[];
  outcomes text[] := array_fill(NULL::text, ARRAY[cardinality(cmd_ids)]);
  results jsonb[] := array_fill(NULL::jsonb, ARRAY[cardinality(cmd_ids)]);
  ev_positions bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(ev_cmds)]);
  ev_stream_positions int[] := array_fill(NULL::int, ARRAY[cardinality(ev_cmds)]);
  -- Answers of guard_place_orders to commands up to this one, the last of them last; and, of each stream, which command of the
  -- same run appends to it.
  placed jsonb[];
  placed_until int := 0;
  run_of int[] := array_fill(0, ARRAY[cardinality(streams)]);
  -- Local copies are expanded once, so that reading one element does not walk the array.
  l_guards text[] := cmd_guards;
  l_guard_args jsonb[] := cmd_guard_args;
  l_values jsonb[] := cmd_values;
  l_metas jsonb[] := cmd_metas;
  l_streams text[] := streams;
  l_app_cmds int[] := app_cmds;
  l_app_streams int[] := app_streams;
  l_app_expected int[] := app_expected;
  l_ev_cmds int[] := ev_cmds;
  l_ev_streams int[] := ev_streams;
  app int := 1;
  first_app int;
  ahead int;
  is_apart boolean;
  ev int := 1;
  next_position bigint;
  sealed_until bigint;
  clash jsonb;
  answer jsonb;
  touched jsonb;
  s int;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'append_commands needs READ COMMITTED: a snapshot older than the lock loses events';
  END IF;
  -- A statement of its own: what follows sees everything that committed before.
  PERFORM pg_advisory_xact_lock(7236837468201);

  -- The log's last event is never in a sealed partition. Partitions that are sealed after this are looked into once more.
  sealed_until := coalesce((SELECT max(p.until_position) FROM event_partitions p WHERE p.sealed_at IS NOT NULL), 1);
  SELECT e.global_position, e.created_at INTO last_position, last_created
    FROM events e WHERE e.global_position >= sealed_until ORDER BY e.global_position DESC LIMIT 1;
  last_position := coalesce(last_position, 0);
  t := greatest(last_created, clock_timestamp());
  next_position := last_position + 1;

  -- Repeats are few: whether there is any is one look for all.
  IF EXISTS (SELECT FROM commands c WHERE c.command_id = ANY (cmd_ids)) THEN
    SELECT array_agg(c.result ORDER BY i.n), array_agg(c.body_hash IS DISTINCT FROM i.hash ORDER BY i.n)
      INTO known, reused
      FROM unnest(cmd_ids, cmd_hashes) WITH ORDINALITY AS i (id, hash, n)
      LEFT JOIN commands c ON c.command_id = i.id;
  END IF;
  SELECT array_agg(coalesce(
      (SELECT e.stream_position FROM events e WHERE e.stream_id = i.id AND e.global_position >= sealed_until
       ORDER BY e.stream_position DESC LIMIT 1),
      (SELECT p.last_position FROM stream_partitions p WHERE p.stream_id = i.id ORDER BY p.from_position DESC LIMIT 1), -1)
      ORDER BY i.n)
    INTO versions
    FROM unnest(l_streams) WITH ORDINALITY AS i (id, n);

  FOR c IN 1 .. cardinality(cmd_ids) LOOP
    clash := NULL;
    answer := NULL;
    first_app := app;
    WHILE app <= cardinality(l_app_cmds) AND l_app_cmds[app] = c LOOP
      s := l_app_streams[app];
      IF clash IS NULL AND l_app_expected[app] IS NOT NULL AND l_app_expected[app] <> versions[s] THEN
        clash := jsonb_build_object('streamId', l_streams[s], 'expected', l_app_expected[app], 'actual', versions[s]);
      END IF;
      app := app + 1;
    END LOOP;

    IF known[c] IS NOT NULL THEN
      outcomes[c] := CASE WHEN reused[c] THEN 'reused' ELSE 'repeated' END;
      results[c] := CASE WHEN reused[c] THEN NULL ELSE known[c] END;
    ELSIF clash IS NOT NULL THEN
      outcomes[c] := 'conflict';
      results[c] := clash;
    ELSE
      IF l_guards[c] = 'place_order' THEN
        IF c > placed_until THEN
          -- Those that follow without a gap are judged in the same call, up to the first that cannot be known to be judged at all: it
          -- expects something of a stream that is not so, or that one before it appends to.
          placed_until := c;
          ahead := first_app;
          LOOP
            WHILE ahead <= cardinality(l_app_cmds) AND l_app_cmds[ahead] = placed_until LOOP
              run_of[l_app_streams[ahead]] := c;
              ahead := ahead + 1;
            END LOOP;
            EXIT WHEN l_guards[placed_until + 1] IS DISTINCT FROM 'place_order' OR known[placed_until + 1] IS NOT NULL;
            is_apart := true;
            FOR i IN ahead .. cardinality(l_app_cmds) LOOP
              EXIT WHEN l_app_cmds[i] <> placed_until + 1;
              s := l_app_streams[i];
              IF l_app_expected[i] IS NOT NULL AND (l_app_expected[i] <> versions[s] OR run_of[s] = c) THEN
                is_apart := false;
              END IF;
            END LOOP;
            EXIT WHEN NOT is_apart;
            placed_until := placed_until + 1;
          END LOOP;
          placed := guard_place_orders(l_guard_args[c : placed_until]);
        END IF;
        answer := placed[cardinality(placed) - (placed_until - c)];
      ELSIF l_guards[c] IS NOT NULL THEN
        answer := run_guard(l_guards[c], l_guard_args[c], t, next_position);
      END IF;
      IF answer ? 'refuse' THEN
        outcomes[c] := 'refused';
        results[c] := answer;
      ELSE
        outcomes[c] := 'accepted';
        touched := '{}';
        WHILE NOT coalesce((answer -> 'skip')::boolean, false)
              AND ev <= cardinality(l_ev_cmds) AND l_ev_cmds[ev] = c LOOP
          s := l_ev_streams[ev];
          versions[s] := versions[s] + 1;
          ev_positions[ev] := next_position;
          ev_stream_positions[ev] := versions[s];
          touched := touched || jsonb_build_object(l_streams[s], versions[s]);
          next_position := next_position + 1;
          ev := ev + 1;
        END LOOP;
        -- Where a stream was that got no event: a repeat answers it, wherever the stream is by then.
        FOR i IN first_app .. app - 1 LOOP
          IF NOT touched ? l_streams[l_app_streams[i]] THEN
            touched := touched || jsonb_build_object(l_streams[l_app_streams[i]], versions[l_app_streams[i]]);
          END IF;
        END LOOP;
        results[c] := jsonb_build_object('position', next_position - 1, 'versions', touched,
          'value', CASE WHEN answer ? 'value' THEN answer -> 'value' ELSE l_values[c] END);
      END IF;
    END IF;
    WHILE ev <= cardinality(l_ev_cmds) AND l_ev_cmds[ev] = c LOOP
      ev := ev + 1;
    END LOOP;
  END LOOP;

  INSERT INTO events (global_position, stream_id, stream_position, event_type, data, metadata, created_at)
    SELECT e.position, l_streams[e.stream], e.stream_position, e.type, e.data, l_metas[e.cmd], t
      FROM unnest(ev_positions, l_ev_streams, ev_stream_positions, ev_types, ev_datas, l_ev_cmds)
        AS e (position, stream, stream_position, type, data, cmd)
      WHERE e.position IS NOT NULL;
  INSERT INTO commands (command_id, body_hash, result, created_at)
    SELECT i.id, i.hash, i.result, t
      FROM unnest(cmd_ids, cmd_hashes, outcomes, results) AS i (id, hash, outcome, result)
      WHERE i.outcome = 'accepted';

  -- A first try may be committed here and not on the synchronous standby yet: who waited for that was cut off. A commit that
  -- writes waits for the standby, one that only reads does not.
  IF 'repeated' = ANY (outcomes) THEN
    PERFORM pg_logical_emit_message(true, 'tidings', '');
  END IF;

  RETURN QUERY SELECT i.o, i.r FROM unnest(outcomes, results) WITH ORDINALITY AS i (o, r, n) ORDER BY i.n;
END;
$$;
