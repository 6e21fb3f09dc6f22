-- A page of an author's posts, nearest to a place first, read in the order of their index. Statistics have the average
-- number of posts of an author: by it a plan that reads and sorts all posts of a prolific author looks as cheap.
--
-- In:  the author; visibilities that the reader may see, whether empty posts are among what they may see; the place, whether it goes
--      from newer to older, how many at most
-- Out: the posts in order
CREATE OR REPLACE FUNCTION page_of_posts(
  author bigint, visible text[], with_empty boolean, after_at timestamptz, after_id uuid, to_older boolean, most int)
RETURNS TABLE (post_id uuid, created_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 20
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
BEGIN
  IF to_older THEN
    RETURN QUERY SELECT p.post_id, p.created_at FROM posts p
      WHERE p.author_id = author AND p.deleted_at IS NULL AND p.visibility = ANY (visible) AND (with_empty OR NOT is_empty_post(p))
        AND (p.created_at, p.post_id) < (after_at, after_id)
      ORDER BY p.created_at DESC, p.post_id DESC LIMIT most;
  ELSE
    RETURN QUERY SELECT p.post_id, p.created_at FROM posts p
      WHERE p.author_id = author AND p.deleted_at IS NULL AND p.visibility = ANY (visible) AND (with_empty OR NOT is_empty_post(p))
        AND (p.created_at, p.post_id) > (after_at, after_id)
      ORDER BY p.created_at, p.post_id LIMIT most;
  END IF;
END;
$$;
