-- name: latestPulled
-- $1 authors' user ids, $2 at most for each. Their latest posts that are pulled, newest first.
SELECT u.user_id AS author, p.post_id, p.created_at
FROM users u
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts
  WHERE author_id = u.id AND distribution = 'pull' AND visibility <> 'private' AND deleted_at IS NULL
  ORDER BY created_at DESC, post_id DESC LIMIT $2
) p
WHERE u.user_id = ANY ($1)
ORDER BY p.created_at DESC, p.post_id DESC
