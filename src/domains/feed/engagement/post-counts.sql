-- name: totals
-- $1 post ids. What each was counted up to now, the log position that this is as of, and of how many rows it was summed up:
-- posts' own columns hold what was written back, `post_count_deltas` what came since. One statement, so that both and the position are of one moment.
SELECT p.post_id, (SELECT coalesce(max(global_position), 0) FROM events) AS position, d.waiting,
  ARRAY[p.like_count + coalesce(d.likes, 0), p.love_count + coalesce(d.loves, 0), p.haha_count + coalesce(d.hahas, 0),
    p.wow_count + coalesce(d.wows, 0), p.sad_count + coalesce(d.sads, 0), p.angry_count + coalesce(d.angries, 0),
    p.comment_count + coalesce(d.comments, 0), p.share_count + coalesce(d.shares, 0)]::int[] AS totals
FROM posts p
CROSS JOIN LATERAL (
  SELECT count(*) AS waiting, sum(delta) FILTER (WHERE counter = 'LIKE') AS likes, sum(delta) FILTER (WHERE counter = 'LOVE') AS loves,
    sum(delta) FILTER (WHERE counter = 'HAHA') AS hahas, sum(delta) FILTER (WHERE counter = 'WOW') AS wows,
    sum(delta) FILTER (WHERE counter = 'SAD') AS sads, sum(delta) FILTER (WHERE counter = 'ANGRY') AS angries,
    sum(delta) FILTER (WHERE counter = 'COMMENT') AS comments, sum(delta) FILTER (WHERE counter = 'SHARE') AS shares
  FROM post_count_deltas WHERE post_id = p.post_id
) d
WHERE p.post_id = ANY ($1::uuid[])

-- name: sumUp
-- $1 post id. Makes one row for each counter of what was counted of a post since it was written back, in one statement: the
-- sum is the same at any moment. A post that somebody else is writing is left to him.
WITH mine AS (
  SELECT post_id FROM posts WHERE post_id = $1::uuid FOR NO KEY UPDATE SKIP LOCKED
), taken AS (
  DELETE FROM post_count_deltas d USING mine WHERE d.post_id = mine.post_id
  RETURNING d.post_id, d.counter, d.delta
)
INSERT INTO post_count_deltas (post_id, counter, delta)
SELECT post_id, counter, sum(delta) FROM taken GROUP BY post_id, counter HAVING sum(delta) <> 0

-- name: originals
-- $1 post ids. What those of them share that are shares, deleted or not.
SELECT DISTINCT shared_post_id AS "postId" FROM posts WHERE post_id = ANY ($1::uuid[]) AND shared_post_id IS NOT NULL
