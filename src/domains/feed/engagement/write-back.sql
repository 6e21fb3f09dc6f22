-- name: writeBack
-- $1 at most so many posts. Adds what was counted to the posts' own columns and deletes it, in one statement: whoever reads
-- sees it in one place or the other, whoever is killed has done nothing. Posts that somebody else is writing are left to
-- him. What was counted of a post that is gone is deleted.
-- Answers one row: how many deltas were taken in.
WITH counted AS (
  SELECT DISTINCT post_id FROM post_count_deltas ORDER BY post_id LIMIT $1
), mine AS (
  SELECT p.post_id FROM posts p JOIN counted USING (post_id) FOR UPDATE OF p SKIP LOCKED
), taken AS (
  DELETE FROM post_count_deltas d USING mine WHERE d.post_id = mine.post_id
  RETURNING d.post_id, d.counter, d.delta
), orphans AS (
  DELETE FROM post_count_deltas d USING counted c
  WHERE d.post_id = c.post_id AND NOT EXISTS (SELECT FROM posts p WHERE p.post_id = c.post_id)
  RETURNING d.post_id
), sums AS (
  SELECT post_id,
    coalesce(sum(delta) FILTER (WHERE counter = 'LIKE'), 0) AS likes,
    coalesce(sum(delta) FILTER (WHERE counter = 'LOVE'), 0) AS loves,
    coalesce(sum(delta) FILTER (WHERE counter = 'HAHA'), 0) AS hahas,
    coalesce(sum(delta) FILTER (WHERE counter = 'WOW'), 0) AS wows,
    coalesce(sum(delta) FILTER (WHERE counter = 'SAD'), 0) AS sads,
    coalesce(sum(delta) FILTER (WHERE counter = 'ANGRY'), 0) AS angries,
    coalesce(sum(delta) FILTER (WHERE counter = 'COMMENT'), 0) AS comments,
    coalesce(sum(delta) FILTER (WHERE counter = 'SHARE'), 0) AS shares
  FROM taken GROUP BY post_id
), written AS (
  UPDATE posts p SET like_count = like_count + s.likes, love_count = love_count + s.loves,
    haha_count = haha_count + s.hahas, wow_count = wow_count + s.wows, sad_count = sad_count + s.sads,
    angry_count = angry_count + s.angries, comment_count = comment_count + s.comments,
    share_count = share_count + s.shares
  FROM sums s WHERE p.post_id = s.post_id
)
SELECT (SELECT count(*) FROM taken) + (SELECT count(*) FROM orphans) AS taken

-- name: waiting
-- How much is still to be written back, counted up to 100,000.
SELECT count(*) AS waiting FROM (SELECT FROM post_count_deltas LIMIT 100000) d
