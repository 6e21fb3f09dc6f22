-- Writes the row of a post beside its PostPublished.
-- Whether the post is pushed or pulled is frozen here, by its author's status at this moment.
--
-- args: postId, authorId (user id), content, visibility
-- refuses: AUTHOR_NOT_FOUND
CREATE OR REPLACE FUNCTION guard_publish_post(args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  author users%ROWTYPE;
BEGIN
  SELECT * INTO author FROM users WHERE user_id = args ->> 'authorId';
  IF NOT FOUND THEN
    RETURN '{"refuse": "AUTHOR_NOT_FOUND"}';
  END IF;
  INSERT INTO posts (post_id, author_id, content, visibility, distribution, position, created_at)
  VALUES ((args ->> 'postId')::uuid, author.id, args ->> 'content', args ->> 'visibility',
    CASE WHEN author.is_celebrity THEN 'pull' ELSE 'push' END, log_position, date_trunc('milliseconds', at));
  RETURN NULL;
END;
$$;
