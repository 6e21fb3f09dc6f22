-- Removes a follow and lowers both counts beside UserUnfollowed.
--
-- args: followerId, followeeId (user ids)
-- refuses: USER_NOT_FOUND; skips where there is no follow
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
  PERFORM add_to_follow_counts(follower, 0, -1);
  PERFORM add_to_follow_counts(followee, -1, 0);
  RETURN NULL;
END;
$$;
