-- name: learn
-- $1 since when, $2 signals looked at, at most, the newest; $3 authors told of, at most, the most seen; $4 characters
-- of a text looked at for a link.
-- What readers did with posts that were shown to them, each reader and post once: by type of content, and by author.
WITH recent AS (
  SELECT user_id, author_id, post_id, kind FROM signals
  WHERE post_id IS NOT NULL AND at > $1 ORDER BY at DESC LIMIT $2
), seen AS (
  SELECT post_id, min(author_id) AS author_id, bool_or(kind = 'LIKE') AS liked, bool_or(kind = 'COMMENT') AS commented,
    bool_or(kind = 'SHARE') AS shared, bool_or(kind = 'CLICK') AS clicked, bool_or(kind = 'HIDE') AS hidden
  FROM recent GROUP BY user_id, post_id HAVING bool_or(kind = 'IMPRESSION')
), typed AS (
  SELECT s.*, CASE WHEN p.shared_post_id IS NOT NULL THEN 'share'
    WHEN EXISTS (SELECT FROM media m WHERE m.media_id = ANY (p.media_ids) AND m.kind = 'video') THEN 'video'
    WHEN cardinality(p.media_ids) > 0 THEN 'image'
    WHEN left(p.content, $4) ~ 'https?://' THEN 'link' ELSE 'text' END AS type
  FROM seen s JOIN posts p USING (post_id)
), tallied AS (
  SELECT type, author_id, count(*)::int AS views, count(*) FILTER (WHERE liked)::int AS "like",
    count(*) FILTER (WHERE commented)::int AS comment, count(*) FILTER (WHERE shared)::int AS share,
    count(*) FILTER (WHERE clicked)::int AS click, count(*) FILTER (WHERE hidden)::int AS hide
  FROM typed GROUP BY GROUPING SETS ((type), (author_id))
), authors AS (
  SELECT u.user_id, t.* FROM tallied t JOIN users u ON u.id = t.author_id
  ORDER BY t.views DESC, u.user_id LIMIT $3
)
SELECT type, NULL AS author, views, "like", comment, share, click, hide FROM tallied WHERE type IS NOT NULL
UNION ALL
SELECT NULL, user_id, views, "like", comment, share, click, hide FROM authors

-- name: saveModel
-- $1 when, $2 samples, $3 what was learned, $4 how many models stay
WITH saved AS (
  INSERT INTO ranking_models (trained_at, samples, weights) VALUES ($1, $2, $3) RETURNING id
)
DELETE FROM ranking_models WHERE id < (SELECT id FROM saved) AND id NOT IN (
  SELECT id FROM ranking_models ORDER BY id DESC LIMIT $4::int - 1
)

-- name: newestModel
SELECT weights FROM ranking_models ORDER BY id DESC LIMIT 1
