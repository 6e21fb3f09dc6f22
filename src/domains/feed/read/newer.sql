-- name: newerPlaces
-- $1 reader's user id, $2, $3 above this (time, id), $4 at most, $5 at most of one author's that are pulled.
-- The other way: what came after a place, oldest first. As in pushedPlaces, the first few of each author limit how far up the
-- answer can reach, and nothing above that is read. Authors whom the reader muted, or who are blocked either way, are left out.
-- not null: post_id, created_at, pulled, author
WITH reader AS (SELECT id FROM users WHERE user_id = $1),
authors AS (
  SELECT f.followee_id AS id, false AS own FROM reader r JOIN follows f ON f.follower_id = r.id
  WHERE NOT EXISTS (SELECT FROM mutes WHERE user_id = r.id AND muted_id = f.followee_id)
    AND NOT EXISTS (SELECT FROM blocks WHERE user_id = r.id AND blocked_id = f.followee_id)
    AND NOT EXISTS (SELECT FROM blocks WHERE user_id = f.followee_id AND blocked_id = r.id)
  UNION ALL SELECT id, true FROM reader
),
heads AS (
  SELECT p.created_at FROM authors a
  CROSS JOIN LATERAL (
    SELECT created_at FROM posts
    WHERE author_id = a.id AND deleted_at IS NULL AND (a.own OR distribution = 'push' AND visibility <> 'private')
      AND (created_at, post_id) > ($2::timestamptz, $3::uuid)
    ORDER BY created_at, post_id LIMIT (SELECT 2 + 2 * $4::int / count(*) FROM authors)
  ) p
),
reach AS (SELECT created_at FROM heads ORDER BY created_at OFFSET $4::int - 1 LIMIT 1)
SELECT p.post_id, p.created_at, p.pulled, a.id AS author FROM authors a
CROSS JOIN LATERAL (
  (SELECT post_id, created_at, false AS pulled FROM posts
   WHERE author_id = a.id AND deleted_at IS NULL AND (a.own OR distribution = 'push' AND visibility <> 'private')
     AND (created_at, post_id) > ($2::timestamptz, $3::uuid)
     AND created_at <= coalesce((SELECT created_at FROM reach), 'infinity')
   ORDER BY created_at, post_id LIMIT $4)
  UNION ALL
  (SELECT post_id, created_at, true FROM posts
   WHERE author_id = a.id AND NOT a.own AND distribution = 'pull' AND visibility <> 'private' AND deleted_at IS NULL
     AND (created_at, post_id) > ($2::timestamptz, $3::uuid)
     AND created_at <= coalesce((SELECT created_at FROM reach), 'infinity')
   ORDER BY created_at, post_id LIMIT $5)
) p
ORDER BY p.created_at, p.post_id LIMIT $4
