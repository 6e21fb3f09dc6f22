-- name: findPosts
-- $1 post ids. Deleted ones are absent.
SELECT p.post_id, p.content, p.media_urls, p.visibility, p.created_at, p.edited_at, p.like_count, p.comment_count,
  p.share_count, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count
FROM posts p JOIN users u ON u.id = p.author_id
WHERE p.post_id = ANY ($1::uuid[]) AND p.deleted_at IS NULL

-- name: pageAuthor
-- $1 author's user id, $2 what the reader may see, $3 before this (time, post id), $4, $5 at most. Newest first.
SELECT p.post_id, p.created_at
FROM posts p
WHERE p.author_id = (SELECT id FROM users WHERE user_id = $1) AND p.deleted_at IS NULL AND p.visibility = ANY ($2)
  AND (p.created_at, p.post_id) < ($3::timestamptz, $4::uuid)
ORDER BY p.created_at DESC, p.post_id DESC LIMIT $5

-- name: pageAuthorBack
-- As pageAuthor, the other way: what is newer than the place, oldest first.
SELECT p.post_id, p.created_at
FROM posts p
WHERE p.author_id = (SELECT id FROM users WHERE user_id = $1) AND p.deleted_at IS NULL AND p.visibility = ANY ($2)
  AND (p.created_at, p.post_id) > ($3::timestamptz, $4::uuid)
ORDER BY p.created_at, p.post_id LIMIT $5
