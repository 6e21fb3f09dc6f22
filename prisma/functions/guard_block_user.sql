-- Writes the row of a block beside UserBlocked.
--
-- args: userId, blockedId (user ids)
-- refuses: USER_NOT_FOUND; skips where the row is there already
CREATE OR REPLACE FUNCTION guard_block_user(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  me bigint;
  other bigint;
BEGIN
  SELECT id INTO me FROM users WHERE user_id = args ->> 'userId';
  SELECT id INTO other FROM users WHERE user_id = args ->> 'blockedId';
  IF me IS NULL OR other IS NULL THEN
    RETURN '{"refuse": "USER_NOT_FOUND"}';
  END IF;
  INSERT INTO blocks (user_id, blocked_id, created_at) VALUES (me, other, at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN '{"skip": true}';
  END IF;
  RETURN NULL;
END;
$$;
