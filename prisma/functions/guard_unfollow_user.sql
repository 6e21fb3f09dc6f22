-- Takes a follow edge away and both counts down beside UserUnfollowed.
--
-- args: followerId, followeeId (user ids)
-- refuses: USER_NOT_FOUND; skips where there is no edge
CREATE OR REPLACE FUNCTION guard_unfollow_user(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  follower bigint;
  followee bigint;
BEGIN
  SELECT id INTO follower FROM users WHERE user_id = args ->> 'followerId';
  SELECT id INTO followee FROM users WHERE user_id = args ->> 'followeeId';
  IF follower IS NULL OR followee IS NULL THEN
    RETURN '{"refuse": "USER_NOT_FOUND"}';
  END IF;
  DELETE FROM follows WHERE follower_id = follower AND followee_id = followee;
  IF NOT FOUND THEN
    RETURN '{"skip": true}';
  END IF;
  UPDATE users SET following_count = following_count - 1 WHERE id = follower;
  UPDATE users SET follower_count = follower_count - 1 WHERE id = followee;
  RETURN NULL;
END;
$$;
