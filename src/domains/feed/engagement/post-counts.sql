-- name: totals
-- $1 post ids. The totals of each, the log position that they are as of, and how many deltas are in them: posts' own columns have
-- what was written back, `post_count_deltas` what came since. One statement, so that both and the position are of one moment.
-- not null: position, waiting, totals
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
  FROM post_count_deltas WHERE post_id = p.post_id AND id > p.counted_id
) d
WHERE p.post_id = ANY ($1::uuid[])

-- name: writeBackOne
-- $1 post id. Adds its deltas to its own columns. See write_back_counts.
SELECT write_back_counts(ARRAY[$1::uuid])

-- name: originals
-- $1 post ids. The posts that they share, where they are shares, deleted or not.
-- not null: postId
SELECT DISTINCT shared_post_id AS "postId" FROM posts WHERE post_id = ANY ($1::uuid[]) AND shared_post_id IS NOT NULL
