-- name: page
-- $1, $2 before this (start, post id), $3 at most. Sponsored posts that are not deleted, the latest start first.
SELECT s.post_id AS "postId", s.starts_at AS "startsAt", s.ends_at AS "endsAt"
FROM sponsored_posts s JOIN posts p ON p.post_id = s.post_id AND p.deleted_at IS NULL
WHERE (s.starts_at, s.post_id) < ($1::timestamptz, $2::uuid)
ORDER BY s.starts_at DESC, s.post_id DESC LIMIT $3

-- name: pageBack
-- As page, the other way: what starts later, the earliest first.
SELECT s.post_id AS "postId", s.starts_at AS "startsAt", s.ends_at AS "endsAt"
FROM sponsored_posts s JOIN posts p ON p.post_id = s.post_id AND p.deleted_at IS NULL
WHERE (s.starts_at, s.post_id) > ($1::timestamptz, $2::uuid)
ORDER BY s.starts_at, s.post_id LIMIT $3

-- name: all
-- To be counted.
SELECT FROM sponsored_posts s JOIN posts p ON p.post_id = s.post_id AND p.deleted_at IS NULL
