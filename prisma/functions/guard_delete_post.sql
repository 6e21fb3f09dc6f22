-- Marks a post as deleted beside its PostDeleted; a share is not counted any more.
--
-- args: postId, userId, isAdmin
-- refuses: NOT_FOUND (it is gone for good, or the user may not see it), FORBIDDEN (it is another user's); skips where it was
--   deleted already
CREATE OR REPLACE FUNCTION guard_delete_post(args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  deleter bigint;
  post posts%ROWTYPE;
BEGIN
  SELECT id INTO deleter FROM users WHERE user_id = args ->> 'userId';
  SELECT * INTO post FROM posts WHERE post_id = (args ->> 'postId')::uuid FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '{"refuse": "NOT_FOUND"}';
  END IF;
  IF post.author_id IS DISTINCT FROM deleter AND NOT (args -> 'isAdmin')::boolean THEN
    RETURN jsonb_build_object('refuse',
      CASE WHEN may_see_post(post.post_id, deleter) THEN 'FORBIDDEN' ELSE 'NOT_FOUND' END);
  END IF;
  IF post.deleted_at IS NOT NULL THEN
    RETURN '{"skip": true}';
  END IF;
  UPDATE posts SET deleted_at = at, version = log_position WHERE post_id = post.post_id;
  DELETE FROM link_previews l WHERE l.post_id = post.post_id;
  IF EXISTS (SELECT FROM posts WHERE post_id = post.shared_post_id) THEN
    INSERT INTO post_count_deltas (post_id, counter, delta) VALUES (post.shared_post_id, 'SHARE', -1);
  END IF;
  RETURN NULL;
END;
$$;
