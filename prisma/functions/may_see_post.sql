-- Whether a reader may see a post at this moment: it is there and shows something, neither has blocked the other, and its
-- visibility lets them.
--
-- Each look is one at an index: EXISTS in their place may become a join that reads all whom a reader follows or has blocked.
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
          AND (SELECT true FROM follows f WHERE f.follower_id = reader AND f.followee_id = p.author_id LIMIT 1))))
      AND (SELECT true FROM blocks b WHERE b.user_id = reader AND b.blocked_id = p.author_id LIMIT 1) IS NULL
      AND (SELECT true FROM blocks b WHERE b.user_id = p.author_id AND b.blocked_id = reader LIMIT 1) IS NULL)
$$;
