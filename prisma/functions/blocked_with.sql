-- Who is blocked either way with a reader: lists leave them out.
--
-- In:  user id, NULL for nobody signed in
-- Out: surrogate user ids; one twice where both blocked each other
CREATE OR REPLACE FUNCTION blocked_with(reader text) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  SELECT b.blocked_id FROM blocks b JOIN users r ON r.id = b.user_id WHERE r.user_id = reader
  UNION ALL SELECT b.user_id FROM blocks b JOIN users r ON r.id = b.blocked_id WHERE r.user_id = reader
$$;
