-- Changes a user's counts of follows. The newest version of the row comes first in the index, however many older ones vacuum may
-- not remove; the append lock, which the caller holds, keeps it where it is. A user's own row has a copy of both numbers, less
-- than 16, or a sixteenth, away from them: celebrities are found by it, in an index that is rarely written.
--
-- In:  the user's surrogate id; by how much their followers and those whom they follow change
CREATE OR REPLACE FUNCTION add_to_follow_counts(changed bigint, to_followers int, to_following int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  counted follow_counts%ROWTYPE;
BEGIN
  UPDATE follow_counts
    SET turn = turn + 1, follower_count = follower_count + to_followers, following_count = following_count + to_following
    WHERE ctid = (SELECT ctid FROM follow_counts WHERE user_id = changed ORDER BY turn DESC LIMIT 1)
    RETURNING * INTO counted;
  IF NOT FOUND THEN
    INSERT INTO follow_counts (user_id, follower_count, following_count)
      SELECT id, follower_count + to_followers, following_count + to_following FROM users WHERE id = changed
      RETURNING * INTO counted;
  END IF;
  UPDATE users SET follower_count = counted.follower_count, following_count = counted.following_count
    WHERE id = changed AND (abs(follower_count - counted.follower_count) >= greatest(16, follower_count / 16)
      OR abs(following_count - counted.following_count) >= greatest(16, following_count / 16));
END;
$$;
