-- name: findPosts
-- $1 post ids. Deleted ones are absent.
SELECT p.post_id, p.content, p.visibility, p.shared_post_id, p.distribution, p.labels, p.fingerprint, p.created_at,
  p.edited_at, p.like_count, p.love_count, p.haha_count, p.wow_count, p.sad_count, p.angry_count, p.comment_count,
  p.share_count, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count
FROM posts p JOIN users u ON u.id = p.author_id
WHERE p.post_id = ANY ($1::uuid[]) AND p.deleted_at IS NULL

-- name: pageAuthors
-- $1 authors' user ids, $2 reader's user id or null, $3, $4 before this (time, post id), $5 at most for each.
-- What the reader may see of each author, newest first.
SELECT u.user_id AS author, p.post_id, p.created_at
FROM users u
CROSS JOIN LATERAL (
  SELECT CASE WHEN u.user_id = $2 THEN ARRAY['public', 'followers', 'private']
    WHEN EXISTS (SELECT FROM follows f JOIN users r ON r.id = f.follower_id WHERE r.user_id = $2 AND f.followee_id = u.id)
    THEN ARRAY['public', 'followers'] ELSE ARRAY['public'] END AS visible
) v
CROSS JOIN LATERAL (
  SELECT post_id, created_at FROM posts
  WHERE author_id = u.id AND deleted_at IS NULL AND visibility = ANY (v.visible)
    AND (created_at, post_id) < ($3::timestamptz, $4::uuid)
  ORDER BY created_at DESC, post_id DESC LIMIT $5
) p
WHERE u.user_id = ANY ($1)
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
  SELECT post_id, created_at FROM posts
  WHERE author_id = u.id AND deleted_at IS NULL AND visibility = ANY (v.visible)
    AND (created_at, post_id) > ($3::timestamptz, $4::uuid)
  ORDER BY created_at, post_id LIMIT $5
) p
WHERE u.user_id = ANY ($1)
ORDER BY p.created_at, p.post_id
