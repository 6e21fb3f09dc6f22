-- name: pushedPlaces
-- $1 reader's user id, $2, $3 below this (time, id), $4 at most, $5 whether authors whom the reader muted, or who are blocked
-- either way, are left out. The reader's own posts, and the pushed ones of the users whom they follow.
-- Of 200 authors each might have the newest 500, but reading 500 of each would be slow: the newest few of each, about
-- twice as many as are wanted, limit how far down the answer can reach, and nothing below that is read.
-- Own posts and others' are read separately: pushed posts have an index of their own, so that a celebrity's pulled posts,
-- however many, are not even skipped over.
-- not null: post_id, created_at
WITH reader AS (SELECT id FROM users WHERE user_id = $1),
authors AS (
  SELECT f.followee_id AS id, false AS own FROM reader r JOIN follows f ON f.follower_id = r.id
  WHERE NOT $5::boolean OR NOT (
    EXISTS (SELECT FROM mutes WHERE user_id = r.id AND muted_id = f.followee_id)
    OR EXISTS (SELECT FROM blocks WHERE user_id = r.id AND blocked_id = f.followee_id)
    OR EXISTS (SELECT FROM blocks WHERE user_id = f.followee_id AND blocked_id = r.id)
  )
  UNION ALL SELECT id, true FROM reader
),
few AS (SELECT 2 + 2 * $4::int / count(*) AS few FROM authors),
heads AS (
  SELECT p.created_at FROM authors a
  CROSS JOIN LATERAL (
    (SELECT created_at FROM posts
     WHERE author_id = a.id AND NOT a.own AND distribution = 'push' AND visibility <> 'private' AND deleted_at IS NULL
       AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
     ORDER BY created_at DESC, post_id DESC LIMIT (SELECT few FROM few))
    UNION ALL
    (SELECT created_at FROM posts
     WHERE author_id = a.id AND a.own AND deleted_at IS NULL AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
     ORDER BY created_at DESC, post_id DESC LIMIT (SELECT few FROM few))
  ) p
),
reach AS (SELECT created_at FROM heads ORDER BY created_at DESC OFFSET $4::int - 1 LIMIT 1)
SELECT p.post_id, p.created_at FROM authors a
CROSS JOIN LATERAL (
  (SELECT post_id, created_at FROM posts
   WHERE author_id = a.id AND NOT a.own AND distribution = 'push' AND visibility <> 'private' AND deleted_at IS NULL
     AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
     AND created_at >= coalesce((SELECT created_at FROM reach), '-infinity')
   ORDER BY created_at DESC, post_id DESC LIMIT $4)
  UNION ALL
  (SELECT post_id, created_at FROM posts
   WHERE author_id = a.id AND a.own AND deleted_at IS NULL AND (created_at, post_id) < ($2::timestamptz, $3::uuid)
     AND created_at >= coalesce((SELECT created_at FROM reach), '-infinity')
   ORDER BY created_at DESC, post_id DESC LIMIT $4)
) p
ORDER BY p.created_at DESC, p.post_id DESC LIMIT $4
