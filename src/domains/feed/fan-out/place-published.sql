-- name: published
-- $1 post ids. Those that are not deleted, in log order.
-- not null: is_pulled
SELECT p.post_id, u.user_id AS author, p.created_at, p.distribution = 'pull' AND p.visibility <> 'private' AS is_pulled
FROM posts p JOIN users u ON u.id = p.author_id
WHERE p.post_id = ANY ($1::uuid[]) AND p.deleted_at IS NULL
ORDER BY p.position
