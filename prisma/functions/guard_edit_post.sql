-- Replaces a post's text beside its PostEdited, and keeps the former one.
--
-- args: postId, editorId (user id), content, labels, fingerprint (decimal, 64 bits signed, or null); mentions: user ids that
--   the text before did not mention, or absent; link: a URL, or null for none
-- refuses: NOT_FOUND (it is gone, or the editor may not see it), FORBIDDEN (it is another user's); skips where that is its text
--   already
CREATE OR REPLACE FUNCTION guard_edit_post(args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  edited uuid := (args ->> 'postId')::uuid;
  editor bigint;
  post posts%ROWTYPE;
BEGIN
  SELECT id INTO editor FROM users WHERE user_id = args ->> 'editorId';
  IF NOT may_see_post(edited, editor) THEN
    RETURN '{"refuse": "NOT_FOUND"}';
  END IF;
  SELECT * INTO post FROM posts WHERE post_id = edited FOR UPDATE;
  IF post.author_id IS DISTINCT FROM editor THEN
    RETURN '{"refuse": "FORBIDDEN"}';
  END IF;
  IF post.content = args ->> 'content' THEN
    RETURN '{"skip": true}';
  END IF;
  INSERT INTO post_edits (post_id, position, content, edited_at)
    VALUES (edited, log_position, post.content, date_trunc('milliseconds', at));
  UPDATE posts SET content = args ->> 'content', labels = ARRAY(SELECT jsonb_array_elements_text(args -> 'labels')),
      fingerprint = (args ->> 'fingerprint')::bigint, edited_at = date_trunc('milliseconds', at), version = log_position
    WHERE post_id = edited;
  IF args ? 'link' THEN
    PERFORM note_link(edited, args ->> 'link');
  ELSE
    -- A former process did not look for one. The preview stays while the text still has its link.
    DELETE FROM link_previews WHERE post_id = edited AND strpos(args ->> 'content', rtrim(url, '/')) = 0;
  END IF;
  PERFORM note_mentions(edited, editor, args -> 'mentions', log_position);
  RETURN NULL;
END;
$$;
