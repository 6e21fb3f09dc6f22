-- Removes a reaction and its count beside ReactionRemoved, also where the user may not see the post any more.
--
-- args: postId, userId (user id), kind (only where it is this one; absent: any)
-- refuses: AUTHOR_NOT_FOUND (no such user), NOT_FOUND (no such reaction, and the post is gone, or the user may not see it);
--   skips where there is no such reaction to a post that the user may see
CREATE OR REPLACE FUNCTION guard_remove_reaction(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  post uuid := (args ->> 'postId')::uuid;
  reader bigint;
  removed text;
BEGIN
  SELECT id INTO reader FROM users WHERE user_id = args ->> 'userId';
  IF NOT FOUND THEN
    RETURN '{"refuse": "AUTHOR_NOT_FOUND"}';
  END IF;
  DELETE FROM reactions
  WHERE post_id = post AND user_id = reader AND kind = coalesce(args ->> 'kind', kind)
  RETURNING kind INTO removed;
  IF removed IS NULL THEN
    RETURN CASE WHEN may_see_post(post, reader) THEN '{"skip": true}' ELSE '{"refuse": "NOT_FOUND"}' END;
  END IF;
  INSERT INTO post_count_deltas (post_id, counter, delta) VALUES (post, removed, -1);
  RETURN NULL;
END;
$$;
