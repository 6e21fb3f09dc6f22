-- name: latestPulled
-- $1 author's user id, $2 at most. His latest posts that are pulled, newest first.
SELECT post_id, created_at FROM posts
WHERE author_id = (SELECT id FROM users WHERE user_id = $1)
  AND distribution = 'pull' AND visibility <> 'private' AND deleted_at IS NULL
ORDER BY created_at DESC, post_id DESC LIMIT $2
