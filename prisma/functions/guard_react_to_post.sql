-- Writes a reaction and what it counts beside PostReacted: one a user and post, a second replaces the first.
--
-- args: postId, userId (user id), kind
-- refuses: AUTHOR_NOT_FOUND (no such user), NOT_FOUND (gone, or the user may not see it);
--   skips where that very reaction is there already
CREATE OR REPLACE FUNCTION guard_react_to_post(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  post uuid := (args ->> 'postId')::uuid;
  reader bigint;
  before text;
BEGIN
  SELECT id INTO reader FROM users WHERE user_id = args ->> 'userId';
  IF NOT FOUND THEN
    RETURN '{"refuse": "AUTHOR_NOT_FOUND"}';
  END IF;
  IF NOT may_see_post(post, reader) THEN
    RETURN '{"refuse": "NOT_FOUND"}';
  END IF;
  SELECT kind INTO before FROM reactions WHERE post_id = post AND user_id = reader;
  IF before = args ->> 'kind' THEN
    RETURN '{"skip": true}';
  END IF;
  INSERT INTO reactions (post_id, user_id, kind, created_at)
  VALUES (post, reader, args ->> 'kind', date_trunc('milliseconds', at))
  ON CONFLICT (post_id, user_id) DO UPDATE SET kind = excluded.kind, created_at = excluded.created_at;
  INSERT INTO post_count_deltas (post_id, counter, delta)
    SELECT post, d.counter, d.delta FROM (VALUES (args ->> 'kind', 1), (before, -1)) AS d (counter, delta)
    WHERE d.counter IS NOT NULL;
  RETURN NULL;
END;
$$;
