-- Whether a user is notified of what another does: not of what they do themselves, nor of users whom they muted or who are
-- blocked either way.
--
-- In:  listener (the user to notify), actor: surrogate user ids
-- Out: true or false
CREATE OR REPLACE FUNCTION may_hear_of(listener bigint, actor bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT listener <> actor AND NOT is_blocked(listener, actor)
    AND NOT EXISTS (SELECT FROM mutes m WHERE m.user_id = listener AND m.muted_id = actor)
$$;
