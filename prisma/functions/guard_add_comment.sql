-- Writes a comment and what it counts beside PostCommented.
--
-- args: commentId, postId, authorId (the commenter's user id), content, replyToId (absent: answers the post itself),
--   mentions (user ids; absent: none)
-- refuses: AUTHOR_NOT_FOUND (no such user), NOT_FOUND (gone, or the user may not see it), COMMENT_NOT_FOUND (the comment that
--   is answered is gone, under another post, or by a user who is blocked either way)
CREATE OR REPLACE FUNCTION guard_add_comment(args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  post uuid := (args ->> 'postId')::uuid;
  answered uuid := (args ->> 'replyToId')::uuid;
  commenter bigint;
BEGIN
  SELECT id INTO commenter FROM users WHERE user_id = args ->> 'authorId';
  IF NOT FOUND THEN
    RETURN '{"refuse": "AUTHOR_NOT_FOUND"}';
  END IF;
  IF NOT may_see_post(post, commenter) THEN
    RETURN '{"refuse": "NOT_FOUND"}';
  END IF;
  IF answered IS NOT NULL AND NOT EXISTS (
    SELECT FROM comments c
    WHERE c.comment_id = answered AND c.post_id = post AND c.deleted_at IS NULL
      AND NOT is_blocked(c.author_id, commenter)
  ) THEN
    RETURN '{"refuse": "COMMENT_NOT_FOUND"}';
  END IF;
  INSERT INTO comments (comment_id, post_id, author_id, reply_to_id, content, created_at)
  VALUES ((args ->> 'commentId')::uuid, post, commenter, answered, args ->> 'content',
    date_trunc('milliseconds', at));
  INSERT INTO post_count_deltas (post_id, counter, delta) VALUES (post, 'COMMENT', 1);
  PERFORM note_mentions((args ->> 'commentId')::uuid, commenter, args -> 'mentions', log_position);
  RETURN NULL;
END;
$$;
