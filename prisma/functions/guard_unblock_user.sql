-- Removes the row of a block beside UserUnblocked.
--
-- args: userId, blockedId (user ids)
-- refuses: USER_NOT_FOUND; skips where there is no row
CREATE OR REPLACE FUNCTION guard_unblock_user(args jsonb) RETURNS jsonb
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
  DELETE FROM blocks WHERE user_id = me AND blocked_id = other;
  IF NOT FOUND THEN
    RETURN '{"skip": true}';
  END IF;
  RETURN NULL;
END;
$$;
