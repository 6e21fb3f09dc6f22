-- Marks those of some media that nothing holds (unheld_media): from here on nothing can come to hold them. Media that are
-- being processed are left alone, since their run still writes files: once it has ended, they are found as unused.
--
-- In:  media ids
-- Out: the marked ones, and those that were marked before
--
-- Holds the append lock, under which posts are published and profiles get their pictures: so nothing takes one between the check and the
-- mark.
CREATE OR REPLACE FUNCTION begin_media_removal(ids uuid[])
RETURNS TABLE (id uuid, media_kind text, key text)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7236837468201);
  RETURN QUERY
    UPDATE media m SET state = 'removing', touched_at = now()
    WHERE m.media_id = ANY (ids) AND m.state <> 'processing'
      AND m.media_id IN (SELECT u.media_id FROM unheld_media() u WHERE u.media_id = ANY (ids))
    RETURNING m.media_id, m.kind::text, m.storage_key;
END;
$$;
