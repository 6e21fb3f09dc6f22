-- A user's own media that a URL leads to, by the rule of unheld_media: it has the random part of their storage keys as a part of its path.
--
-- In:  user id, URL or NULL
-- Out: media ids
CREATE OR REPLACE FUNCTION media_in_url(owned_by text, url text) RETURNS SETOF uuid
LANGUAGE sql STABLE AS $$
  SELECT m.media_id FROM media m
  WHERE m.owner_id = owned_by AND url ~ '/[0-9a-f]{32}/' AND strpos(url, '/' || split_part(m.storage_key, '/', 2) || '/') > 0
$$;
