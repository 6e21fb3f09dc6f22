-- name: ofViewer
-- $1 post ids, $2 reader's user id. His own reactions to them.
SELECT r.post_id AS "postId", r.kind
FROM reactions r JOIN users u ON u.id = r.user_id
WHERE u.user_id = $2 AND r.post_id = ANY ($1::uuid[])

-- name: page
-- $1 post ids, $2 reader's user id or null, $3 kind or null for any, $4, $5 before this (time, surrogate user id), $6 at
-- most for each. Who reacted to each post, newest first, but for people blocked either way.
SELECT wanted.id AS of, x.kind, x.created_at AS reacted_at, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified,
  u.is_celebrity, u.follower_count, u.following_count
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM reactions
  WHERE post_id = wanted.id AND ($3::text IS NULL OR kind = $3) AND (created_at, user_id) < ($4::timestamptz, $5::bigint)
    AND NOT is_blocked(user_id, (SELECT id FROM users WHERE user_id = $2))
  ORDER BY created_at DESC, user_id DESC LIMIT $6
) x
JOIN users u ON u.id = x.user_id
ORDER BY x.created_at DESC, x.user_id DESC

-- name: pageBack
-- As page, the other way: what is newer than the place, oldest first.
SELECT wanted.id AS of, x.kind, x.created_at AS reacted_at, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified,
  u.is_celebrity, u.follower_count, u.following_count
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM reactions
  WHERE post_id = wanted.id AND ($3::text IS NULL OR kind = $3) AND (created_at, user_id) > ($4::timestamptz, $5::bigint)
    AND NOT is_blocked(user_id, (SELECT id FROM users WHERE user_id = $2))
  ORDER BY created_at, user_id LIMIT $6
) x
JOIN users u ON u.id = x.user_id
ORDER BY x.created_at, x.user_id
