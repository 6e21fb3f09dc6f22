-- Writes the link of a post whose preview is to be fetched, beside its event. The same link again changes nothing. The preview
-- is removed where there is no link any more, or where 20 of the author's previews wait already.
--
-- In:  post id, whose row is there; link: a URL or NULL
CREATE OR REPLACE FUNCTION note_link(post uuid, link text) RETURNS void
LANGUAGE sql AS $$
  DELETE FROM link_previews WHERE post_id = post AND url IS DISTINCT FROM link;
  INSERT INTO link_previews (post_id, author_id, url)
  SELECT post, p.author_id, link FROM posts p
  WHERE p.post_id = post AND link IS NOT NULL AND 20 > (
    SELECT count(*) FROM (
      SELECT FROM link_previews w WHERE w.author_id = p.author_id AND w.state = 'waiting' LIMIT 20
    ) waiting
  )
  ON CONFLICT (post_id) DO NOTHING;
$$;
