-- name: findDue
-- $1 deleted before, $2 at most. Posts whose day is over, and whether they hold media.
SELECT post_id, media_ids <> '{}' AS holds_media FROM posts WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2

-- name: releaseMedia
-- $1 post ids, $2 deleted before. See release_media_of_posts.
SELECT media_id FROM release_media_of_posts($1::uuid[], $2)

-- name: removePosts
-- $1 post ids, $2 deleted before. What belongs to a post goes with it.
WITH due AS (
  SELECT post_id FROM posts WHERE post_id = ANY ($1::uuid[]) AND deleted_at < $2 AND media_ids = '{}'
  FOR UPDATE SKIP LOCKED
),
edits AS (DELETE FROM post_edits WHERE post_id IN (SELECT post_id FROM due)),
reacted AS (DELETE FROM reactions WHERE post_id IN (SELECT post_id FROM due)),
commented AS (DELETE FROM comments WHERE post_id IN (SELECT post_id FROM due)),
counted AS (DELETE FROM post_count_deltas WHERE post_id IN (SELECT post_id FROM due)),
sponsored AS (DELETE FROM sponsored_posts WHERE post_id IN (SELECT post_id FROM due))
DELETE FROM posts WHERE post_id IN (SELECT post_id FROM due)
