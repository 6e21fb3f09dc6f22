-- name: findDue
-- $1 deleted before, $2 at most, $3 from this instant on. Posts that were deleted before, when that was,
-- and whether they hold media.
-- not null: deleted_at, holds_media
SELECT post_id, deleted_at, media_ids <> '{}' AS holds_media FROM posts
WHERE deleted_at < $1 AND deleted_at >= $3 ORDER BY deleted_at LIMIT $2

-- name: releaseMedia
-- $1 post ids, $2 deleted before. See release_media_of_posts.
-- not null: media_id
SELECT media_id FROM release_media_of_posts($1::uuid[], $2)

-- name: removeParts
-- $1 post ids, $2 deleted before, $3 rows of each table at most. Removes what belongs to posts, however much that is.
-- Out: whether there may be more
-- not null: hasMore
WITH due AS MATERIALIZED (
  SELECT post_id FROM posts WHERE post_id = ANY ($1::uuid[]) AND deleted_at < $2 AND media_ids = '{}'
  FOR UPDATE SKIP LOCKED
),
reacted AS (
  DELETE FROM reactions WHERE ctid = ANY (ARRAY(
    SELECT part.ctid FROM due CROSS JOIN LATERAL (SELECT ctid FROM reactions WHERE post_id = due.post_id LIMIT $3) part LIMIT $3))
  RETURNING 1
),
conversation AS MATERIALIZED (
  SELECT part.comment_id
  FROM due CROSS JOIN LATERAL (SELECT comment_id FROM comments WHERE post_id = due.post_id LIMIT $3) part LIMIT $3
),
mentioned AS (DELETE FROM mentions WHERE subject_id = ANY (ARRAY(SELECT comment_id FROM conversation))),
commented AS (DELETE FROM comments WHERE comment_id = ANY (ARRAY(SELECT comment_id FROM conversation)) RETURNING 1),
counted AS (
  DELETE FROM post_count_deltas WHERE ctid = ANY (ARRAY(
    SELECT part.ctid FROM due CROSS JOIN LATERAL (SELECT ctid FROM post_count_deltas WHERE post_id = due.post_id LIMIT $3) part
    LIMIT $3))
  RETURNING 1
)
SELECT greatest((SELECT count(*) FROM reacted), (SELECT count(*) FROM commented), (SELECT count(*) FROM counted)) >= $3 AS "hasMore"

-- name: removePosts
-- $1 post ids, $2 deleted before. Those to which nothing belongs any more but their former texts and whom they mention.
-- Each is looked up with a limit, so that no plan reads all of a table.
WITH due AS MATERIALIZED (
  SELECT p.post_id FROM posts p
  WHERE p.post_id = ANY ($1::uuid[]) AND p.deleted_at < $2 AND p.media_ids = '{}'
    AND (SELECT true FROM reactions r WHERE r.post_id = p.post_id LIMIT 1) IS NULL
    AND (SELECT true FROM comments c WHERE c.post_id = p.post_id LIMIT 1) IS NULL
    AND (SELECT true FROM post_count_deltas d WHERE d.post_id = p.post_id LIMIT 1) IS NULL
  FOR UPDATE SKIP LOCKED
),
edits AS (DELETE FROM post_edits WHERE post_id = ANY (ARRAY(SELECT post_id FROM due))),
mentioned AS (DELETE FROM mentions WHERE subject_id = ANY (ARRAY(SELECT post_id FROM due))),
sponsored AS (DELETE FROM sponsored_posts WHERE post_id = ANY (ARRAY(SELECT post_id FROM due)))
DELETE FROM posts WHERE post_id = ANY (ARRAY(SELECT post_id FROM due))
