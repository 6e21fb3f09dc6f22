-- Whether a reader may see a post at this moment: it is there and shows something, neither has blocked the other, and its
-- visibility lets them.
--
-- In:  post id; reader: surrogate user id, NULL for nobody signed in
-- Out: true or false
CREATE OR REPLACE FUNCTION may_see_post(post uuid, reader bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM posts p
    WHERE p.post_id = post AND p.deleted_at IS NULL
      AND (p.author_id = reader OR NOT is_empty_post(p) AND (p.visibility = 'public'
        OR (p.visibility = 'followers'
          AND EXISTS (SELECT FROM follows f WHERE f.follower_id = reader AND f.followee_id = p.author_id))))
      AND NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = reader AND b.blocked_id = p.author_id)
      AND NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = p.author_id AND b.blocked_id = reader))
$$;
