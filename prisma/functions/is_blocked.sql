-- Whether one of two users has blocked the other.
--
-- In:  surrogate user ids; NULL for nobody signed in
-- Out: true or false
CREATE OR REPLACE FUNCTION is_blocked(one bigint, other bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM blocks b WHERE b.user_id = one AND b.blocked_id = other)
    OR EXISTS (SELECT FROM blocks b WHERE b.user_id = other AND b.blocked_id = one)
$$;
