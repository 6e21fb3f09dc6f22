-- name: newerPlaces
-- $1 reader's user id, $2, $3 above this (time, id), $4 at most, $5 at most of one author's that are pulled.
-- The other way: what came after a place, oldest first.
WITH reader AS (SELECT id FROM users WHERE user_id = $1),
authors AS (
  SELECT followee_id AS id, false AS own FROM follows WHERE follower_id = (SELECT id FROM reader)
  UNION ALL SELECT id, true FROM reader
)
SELECT p.post_id, p.created_at, p.pulled, a.id AS author FROM authors a
CROSS JOIN LATERAL (
  (SELECT post_id, created_at, false AS pulled FROM posts
   WHERE author_id = a.id AND deleted_at IS NULL AND (a.own OR distribution = 'push' AND visibility <> 'private')
     AND (created_at, post_id) > ($2::timestamptz, $3::uuid)
   ORDER BY created_at, post_id LIMIT $4)
  UNION ALL
  (SELECT post_id, created_at, true FROM posts
   WHERE author_id = a.id AND NOT a.own AND distribution = 'pull' AND visibility <> 'private' AND deleted_at IS NULL
     AND (created_at, post_id) > ($2::timestamptz, $3::uuid)
   ORDER BY created_at, post_id LIMIT $5)
) p
ORDER BY p.created_at, p.post_id LIMIT $4
