-- Marks some replies as deleted beside RepliesDeleted: a part of a conversation that is too long for one command. The
-- caller was allowed to by delete_comment, and looked the replies up before, outside the lock. They stop counting. What is left can
-- still be reached: no comment is deleted while a reply to it stays.
--
-- args: postId, replies (comment ids)
-- refuses: REPLIES_CHANGED (one of them was answered meanwhile: look them up again); skips where none is left
CREATE OR REPLACE FUNCTION guard_delete_replies(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  replies uuid[] := ARRAY(SELECT jsonb_array_elements_text(args -> 'replies')::uuid);
  deleted int;
BEGIN
  IF EXISTS (
    SELECT FROM unnest(replies) AS answered (id) CROSS JOIN LATERAL (
      SELECT FROM comments c
      WHERE c.reply_to_id = answered.id AND c.deleted_at IS NULL AND c.comment_id <> ALL (replies)
      ORDER BY c.created_at, c.comment_id LIMIT 1
    ) staying
  ) THEN
    RETURN '{"refuse": "REPLIES_CHANGED"}';
  END IF;
  UPDATE comments SET deleted_at = at WHERE comment_id = ANY (replies) AND deleted_at IS NULL;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted = 0 THEN
    RETURN '{"skip": true}';
  END IF;
  INSERT INTO post_count_deltas (post_id, counter, delta) VALUES ((args ->> 'postId')::uuid, 'COMMENT', -deleted);
  RETURN NULL;
END;
$$;
