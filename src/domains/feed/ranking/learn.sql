-- name: sample
-- $1 since when, $2 signals looked at, at most, the newest.
-- What readers did with posts that were shown to them, each reader and post once, by post, in the order of their ids.
-- not null: postId, authorId, views, like, comment, share, click, hide
WITH recent AS MATERIALIZED (
  SELECT user_id, author_id, post_id, kind FROM signals WHERE at > $1 ORDER BY at DESC LIMIT $2
), seen AS (
  SELECT post_id, min(author_id) AS author_id, bool_or(kind = 'LIKE') AS liked, bool_or(kind = 'COMMENT') AS commented,
    bool_or(kind = 'SHARE') AS shared, bool_or(kind = 'CLICK') AS clicked, bool_or(kind = 'HIDE') AS hidden
  FROM recent WHERE post_id IS NOT NULL GROUP BY user_id, post_id HAVING bool_or(kind = 'IMPRESSION')
)
SELECT post_id AS "postId", min(author_id)::text AS "authorId", count(*)::int AS views, count(*) FILTER (WHERE liked)::int AS "like",
  count(*) FILTER (WHERE commented)::int AS comment, count(*) FILTER (WHERE shared)::int AS share,
  count(*) FILTER (WHERE clicked)::int AS click, count(*) FILTER (WHERE hidden)::int AS hide
FROM seen GROUP BY post_id ORDER BY post_id

-- name: typesOf
-- $1 post ids, in order, so that neighbours are read once; $2 characters of a text looked at for a link.
-- The type of content of each that exists.
-- not null: type
-- type: type = import('./predictor.js').ContentType
SELECT p.post_id AS "postId", CASE WHEN p.shared_post_id IS NOT NULL THEN 'share'
  WHEN EXISTS (SELECT FROM media m WHERE m.media_id = ANY (p.media_ids) AND m.kind = 'video') THEN 'video'
  WHEN cardinality(p.media_ids) > 0 THEN 'image'
  WHEN left(p.content, $2) ~ 'https?://' THEN 'link' ELSE 'text' END AS type
FROM posts p WHERE p.post_id = ANY ($1::uuid[])

-- name: authorsOf
-- $1 surrogate ids. User ids.
-- not null: authorId
SELECT id::text AS "authorId", user_id AS "userId" FROM users WHERE id = ANY ($1::bigint[])

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
