-- name: pushedPlaces
-- $1 reader's user id, $2 at or below this time, $3, below this (time, id), $4 at most. Pushed posts of whom he follows.
SELECT p.post_id, p.created_at
FROM follows f
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts
  WHERE author_id = f.followee_id AND distribution = 'push' AND visibility <> 'private' AND deleted_at IS NULL
    AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
  ORDER BY created_at DESC, post_id DESC LIMIT $4
) p
WHERE f.follower_id = (SELECT id FROM users WHERE user_id = $1)
ORDER BY p.created_at DESC, p.post_id DESC LIMIT $4

-- name: pulledPlaces
-- $1 reader's user id, $2, $3 below this (time, id), $4 not older than this, $5 at most an author.
-- Pulled posts of whom he follows.
SELECT p.post_id, p.created_at, f.followee_id AS author
FROM follows f
JOIN users u ON u.id = f.followee_id
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts
  WHERE author_id = f.followee_id AND distribution = 'pull' AND visibility <> 'private' AND deleted_at IS NULL
    AND (created_at, post_id) < ($2::timestamptz, $3::uuid) AND created_at >= $4
  ORDER BY created_at DESC, post_id DESC LIMIT $5
) p
WHERE f.follower_id = (SELECT id FROM users WHERE user_id = $1)

-- name: ownPlaces
-- $1 reader's user id, $2, $3 below this (time, id), $4 at most
SELECT post_id, created_at FROM posts
WHERE author_id = (SELECT id FROM users WHERE user_id = $1) AND deleted_at IS NULL
  AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
ORDER BY created_at DESC, post_id DESC LIMIT $4
