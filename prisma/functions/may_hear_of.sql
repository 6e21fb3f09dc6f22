-- Whether a user is told of what another does: not of his own doings, nor of somebody whom he muted or who is blocked
-- either way.
--
-- In:  listener, actor: surrogate user ids
-- Out: true or false
CREATE OR REPLACE FUNCTION may_hear_of(listener bigint, actor bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT listener <> actor AND NOT is_blocked(listener, actor)
    AND NOT EXISTS (SELECT FROM mutes m WHERE m.user_id = listener AND m.muted_id = actor)
$$;
