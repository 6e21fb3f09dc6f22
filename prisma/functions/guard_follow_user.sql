-- Writes a follow and both counts beside UserFollowed.
--
-- args: followerId, followeeId (user ids)
-- refuses: USER_NOT_FOUND; BLOCKED where either has blocked the other; skips where the follow is there already
CREATE OR REPLACE FUNCTION guard_follow_user(args jsonb, at timestamptz) RETURNS jsonb
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
  IF EXISTS (SELECT FROM blocks WHERE user_id = follower AND blocked_id = followee)
     OR EXISTS (SELECT FROM blocks WHERE user_id = followee AND blocked_id = follower) THEN
    RETURN '{"refuse": "BLOCKED"}';
  END IF;
  INSERT INTO follows (follower_id, followee_id, created_at) VALUES (follower, followee, at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN '{"skip": true}';
  END IF;
  PERFORM add_to_follow_counts(follower, 0, 1);
  PERFORM add_to_follow_counts(followee, 1, 0);
  RETURN NULL;
END;
$$;
