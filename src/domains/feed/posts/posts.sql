-- name: pageAuthors
-- $1 authors' user ids, $2 reader's user id or null, $3, $4 before this (time, post id), $5 at most for each.
-- What the reader may see of each author, newest first; nothing where one has blocked the other. Empty posts are seen by
-- their author alone.
SELECT u.user_id AS author, p.post_id, p.created_at
FROM users u
CROSS JOIN LATERAL (
  SELECT CASE WHEN u.user_id = $2 THEN ARRAY['public', 'followers', 'private']
    WHEN EXISTS (SELECT FROM follows f JOIN users r ON r.id = f.follower_id WHERE r.user_id = $2 AND f.followee_id = u.id)
    THEN ARRAY['public', 'followers'] ELSE ARRAY['public'] END AS visible
) v
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts p
  WHERE author_id = u.id AND deleted_at IS NULL AND visibility = ANY (v.visible) AND (u.user_id IS NOT DISTINCT FROM $2 OR NOT is_empty_post(p))
    AND (created_at, post_id) < ($3::timestamptz, $4::uuid)
  ORDER BY created_at DESC, post_id DESC LIMIT $5
) p
WHERE u.user_id = ANY ($1) AND NOT is_blocked(u.id, (SELECT id FROM users WHERE user_id = $2))
ORDER BY p.created_at DESC, p.post_id DESC

-- name: pageAuthorsBack
-- As pageAuthors, the other way: what is newer than the place, oldest first.
SELECT u.user_id AS author, p.post_id, p.created_at
FROM users u
CROSS JOIN LATERAL (
  SELECT CASE WHEN u.user_id = $2 THEN ARRAY['public', 'followers', 'private']
    WHEN EXISTS (SELECT FROM follows f JOIN users r ON r.id = f.follower_id WHERE r.user_id = $2 AND f.followee_id = u.id)
    THEN ARRAY['public', 'followers'] ELSE ARRAY['public'] END AS visible
) v
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts p
  WHERE author_id = u.id AND deleted_at IS NULL AND visibility = ANY (v.visible) AND (u.user_id IS NOT DISTINCT FROM $2 OR NOT is_empty_post(p))
    AND (created_at, post_id) > ($3::timestamptz, $4::uuid)
  ORDER BY created_at, post_id LIMIT $5
) p
WHERE u.user_id = ANY ($1) AND NOT is_blocked(u.id, (SELECT id FROM users WHERE user_id = $2))
ORDER BY p.created_at, p.post_id
