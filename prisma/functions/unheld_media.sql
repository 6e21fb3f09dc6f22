-- Media that nothing holds, so that they may be removed. They are held by posts, deleted or not, and by their owner's profile, whose picture
-- has the random part of the storage key as a part of its URL's path. That URL alone decides, in whatever way it was written and under whatever host: there is
-- nothing beside it that could be forgotten. Nobody else's profile holds them.
--
-- Out: rows of media, whatever their state. Planned as a part of the statement that asks: two anti-joins, since of one subquery for both
--   holders Postgres 18 reads all posts for each row.
CREATE OR REPLACE FUNCTION unheld_media() RETURNS SETOF media
LANGUAGE sql STABLE AS $$
  SELECT m.* FROM media m
  WHERE NOT EXISTS (SELECT FROM posts p WHERE p.media_ids @> ARRAY[m.media_id] AND p.media_ids <> '{}')
    AND NOT EXISTS (SELECT FROM users u
      WHERE u.user_id = m.owner_id AND strpos(u.avatar_url, '/' || split_part(m.storage_key, '/', 2) || '/') > 0)
$$;
