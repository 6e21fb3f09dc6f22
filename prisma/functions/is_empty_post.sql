-- Whether a post shows nothing: it has no words, shares no other post, and none of its media could be processed. Such a
-- post is there for its author alone.
--
-- In:  a row of posts
-- Out: true or false
CREATE OR REPLACE FUNCTION is_empty_post(post posts) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT post.shared_post_id IS NULL AND btrim(post.content, E' \t\r\n') = ''
    AND NOT EXISTS (SELECT FROM media m WHERE m.media_id = ANY (post.media_ids) AND m.state NOT IN ('failed', 'removing'))
$$;
