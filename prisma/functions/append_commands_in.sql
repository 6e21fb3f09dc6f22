-- Appends a batch of commands, as append_commands does, where this server's life is the one that they rest on. Both are one
-- transaction, so what a process knows of the log is either of this server, or nothing is appended.
--
-- In:  the life (see server_life), NULL: whichever it is; then what append_commands takes
-- Out: what append_commands answers; where the life is another: nothing was appended, and one row whose outcome is NULL
CREATE OR REPLACE FUNCTION append_commands_in(
  expected_life text,
  cmd_ids text[], cmd_hashes bytea[], cmd_metas jsonb[], cmd_values jsonb[], cmd_guards text[], cmd_guard_args jsonb[],
  streams text[],
  app_cmds int[], app_streams int[], app_expected int[],
  ev_cmds int[], ev_streams int[], ev_types text[], ev_datas jsonb[]
) RETURNS TABLE (outcome text, result jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  -- Asking costs a tenth of a lone append.
  IF (CASE WHEN expected_life IS NULL THEN false ELSE server_life() <> expected_life END) THEN
    RETURN NEXT;
  ELSE
    RETURN QUERY SELECT a.outcome, a.result
      FROM append_commands(cmd_ids, cmd_hashes, cmd_metas, cmd_values, cmd_guards, cmd_guard_args, streams,
        app_cmds, app_streams, app_expected, ev_cmds, ev_streams, ev_types, ev_datas) a;
  END IF;
END;
$$;
