-- The register of guards: functions that run under the append lock, before a command's events are written.
--
-- In:  name, args; at: the events' created_at; log_position: the position of the command's first event
-- Out: NULL or {}                 go ahead
--      {"refuse": CODE, …}        refused; a guard refuses before it writes anything
--      {"skip": true, …}          accepted, but there is nothing to tell: no events
--      {"value": {…}}             the command's result carries this value
-- A CASE and not dynamic SQL: plans are kept, and nothing but a registered guard can be called.
CREATE OR REPLACE FUNCTION run_guard(name text, args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  CASE name
    WHEN 'publish_post' THEN RETURN guard_publish_post(args, at, log_position);
    WHEN 'follow_user' THEN RETURN guard_follow_user(args, at);
    WHEN 'unfollow_user' THEN RETURN guard_unfollow_user(args);
    ELSE RAISE EXCEPTION 'no guard is registered as %', name;
  END CASE;
END;
$$;
