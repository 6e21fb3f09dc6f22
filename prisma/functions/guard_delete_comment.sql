-- Marks a comment as deleted beside CommentDeleted, and what answers it, and what answers that: nobody could reach those
-- any more. All of them stop counting.
--
-- args: commentId, userId (user id of who deletes), isAdmin
-- refuses: COMMENT_NOT_FOUND (there is none, or not his to see), FORBIDDEN (neither the comment's author, nor the post's,
--   nor an admin); skips where it is deleted already, for whoever might have deleted it
CREATE OR REPLACE FUNCTION guard_delete_comment(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  comment comments%ROWTYPE;
  caller bigint;
  is_his boolean;
  gone int;
BEGIN
  SELECT id INTO caller FROM users WHERE user_id = args ->> 'userId';
  SELECT * INTO comment FROM comments WHERE comment_id = (args ->> 'commentId')::uuid;
  IF comment.comment_id IS NULL THEN
    RETURN '{"refuse": "COMMENT_NOT_FOUND"}';
  END IF;
  is_his := (args -> 'isAdmin')::boolean OR coalesce(caller = comment.author_id, false)
    OR EXISTS (SELECT FROM posts p WHERE p.post_id = comment.post_id AND p.author_id = caller);
  IF NOT is_his THEN
    IF comment.deleted_at IS NULL AND may_see_post(comment.post_id, caller)
        AND NOT is_blocked(comment.author_id, caller) THEN
      RETURN '{"refuse": "FORBIDDEN"}';
    END IF;
    RETURN '{"refuse": "COMMENT_NOT_FOUND"}';
  END IF;
  WITH RECURSIVE thread AS (
    SELECT comment.comment_id AS id
    UNION ALL
    SELECT c.comment_id FROM thread t JOIN comments c ON c.reply_to_id = t.id
  )
  UPDATE comments c SET deleted_at = at FROM thread WHERE c.comment_id = thread.id AND c.deleted_at IS NULL;
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone = 0 THEN
    RETURN '{"skip": true}';
  END IF;
  INSERT INTO post_count_deltas (post_id, counter, delta) VALUES (comment.post_id, 'COMMENT', -gone);
  RETURN NULL;
END;
$$;
