-- name: pulledPlaces
-- $1 authors' user ids, $2, $3 below this (time, id), $4 at most an author. Posts to be pulled.
SELECT p.post_id, p.created_at, u.user_id AS author
FROM users u
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts
  WHERE author_id = u.id AND distribution = 'pull' AND visibility <> 'private' AND deleted_at IS NULL
    AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
  ORDER BY created_at DESC, post_id DESC LIMIT $4
) p
WHERE u.user_id = ANY ($1)
ORDER BY p.created_at DESC, p.post_id DESC
