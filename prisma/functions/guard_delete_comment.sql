-- Marks a comment as deleted beside CommentDeleted, and what answers it, and what answers that: nobody could reach those
-- any more. All of them stop counting. A long conversation goes in several commands, the deepest first, so that none of
-- them holds up the log and whatever is left can still be reached.
--
-- args: commentId, userId (user id of who deletes), isAdmin, atOnce (comments in one command), repliesOnly (beside
--   RepliesDeleted: takes the deepest of a conversation that is too long, and never the comment itself)
-- refuses: COMMENT_NOT_FOUND (there is none, or not his to see), FORBIDDEN (neither the comment's author, nor the post's,
--   nor an admin), THREAD_TOO_LONG (repliesOnly must go first); skips where there is nothing to delete
CREATE OR REPLACE FUNCTION guard_delete_comment(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  comment comments%ROWTYPE;
  caller bigint;
  at_once int := (args ->> 'atOnce')::int;
  deepest_first uuid[];
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

  WITH RECURSIVE thread AS (
    SELECT comment.comment_id AS id, 0 AS depth
    UNION ALL
    SELECT c.comment_id, t.depth + 1 FROM thread t JOIN comments c ON c.reply_to_id = t.id AND c.deleted_at IS NULL
  )
  SELECT array_agg(id ORDER BY depth DESC) INTO deepest_first FROM thread;
  IF (args -> 'repliesOnly')::boolean THEN
    IF cardinality(deepest_first) <= at_once THEN
      RETURN '{"skip": true}';
    END IF;
    deepest_first := deepest_first[1 : at_once];
  ELSIF cardinality(deepest_first) > at_once THEN
    RETURN '{"refuse": "THREAD_TOO_LONG"}';
  END IF;
  UPDATE comments SET deleted_at = at WHERE comment_id = ANY (deepest_first);
  INSERT INTO post_count_deltas (post_id, counter, delta)
  VALUES (comment.post_id, 'COMMENT', -cardinality(deepest_first));
  RETURN NULL;
END;
$$;
