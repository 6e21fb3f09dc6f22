-- Marks a comment as deleted beside CommentDeleted, and all replies below it, which could not be reached any more. All of them
-- stop counting. Of a long conversation no more is read than shows that it is too long.
--
-- args: commentId, userId (user id of who deletes), isAdmin, atOnce (comments in one command)
-- refuses: COMMENT_NOT_FOUND (there is none, or the user may not see it), FORBIDDEN (neither the comment's author, nor the post's,
--   nor an admin), THREAD_TOO_LONG (delete_replies must go first); skips where there is nothing to delete
CREATE OR REPLACE FUNCTION guard_delete_comment(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  comment comments%ROWTYPE;
  caller bigint;
  at_once int := (args ->> 'atOnce')::int;
  thread uuid[];
BEGIN
  SELECT id INTO caller FROM users WHERE user_id = args ->> 'userId';
  SELECT * INTO comment FROM comments WHERE comment_id = (args ->> 'commentId')::uuid;
  IF comment.comment_id IS NULL THEN
    RETURN '{"refuse": "COMMENT_NOT_FOUND"}';
  END IF;
  IF NOT ((args -> 'isAdmin')::boolean OR coalesce(caller = comment.author_id, false)
      OR EXISTS (SELECT FROM posts p WHERE p.post_id = comment.post_id AND p.author_id = caller)) THEN
    IF comment.deleted_at IS NULL AND may_see_post(comment.post_id, caller)
        AND NOT is_blocked(comment.author_id, caller) THEN
      RETURN '{"refuse": "FORBIDDEN"}';
    END IF;
    RETURN '{"refuse": "COMMENT_NOT_FOUND"}';
  END IF;
  IF comment.deleted_at IS NOT NULL THEN
    RETURN '{"skip": true}';
  END IF;

  thread := ARRAY(
    WITH RECURSIVE found AS (
      SELECT comment.comment_id AS id
      UNION ALL
      SELECT reply.comment_id FROM found CROSS JOIN LATERAL (
        -- In the order of the index that has a comment's replies: they are read from it alone, and no further than asked.
        SELECT comment_id FROM comments c WHERE c.reply_to_id = found.id AND c.deleted_at IS NULL
        ORDER BY c.created_at, c.comment_id LIMIT at_once
      ) reply
    )
    SELECT id FROM found LIMIT at_once + 1
  );
  IF cardinality(thread) > at_once THEN
    RETURN '{"refuse": "THREAD_TOO_LONG"}';
  END IF;
  UPDATE comments SET deleted_at = at WHERE comment_id = ANY (thread);
  INSERT INTO post_count_deltas (post_id, counter, delta) VALUES (comment.post_id, 'COMMENT', -cardinality(thread));
  RETURN NULL;
END;
$$;
