-- Detaches media from deleted posts that are to be removed, and marks those that nothing else holds for removal.
--
-- In:  post ids; those deleted later than `deleted_before`, or not at all, are left alone
-- Out: the media that are marked; if the caller is killed, the next sweep removes marked media
--
-- Holds the append lock, as begin_media_removal does, and takes it before it locks posts, as inline projections do.
CREATE OR REPLACE FUNCTION release_media_of_posts(ids uuid[], deleted_before timestamptz) RETURNS TABLE (media_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  released uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(7236837468201);
  SELECT array_agg(DISTINCT held.id) INTO released
    FROM posts p CROSS JOIN unnest(p.media_ids) AS held (id)
    WHERE p.post_id = ANY (ids) AND p.deleted_at < deleted_before;
  UPDATE posts p SET media_ids = '{}'
    WHERE p.post_id = ANY (ids) AND p.deleted_at < deleted_before AND p.media_ids <> '{}';
  RETURN QUERY SELECT marked.id FROM begin_media_removal(released) AS marked;
END;
$$;
