-- name: findComment
-- $1 comment id. Deleted or not, whoever may see it.
SELECT post_id AS "postId" FROM comments WHERE comment_id = $1::uuid

-- name: findReplies
-- $1 comment id. All that answers it and is not deleted, at any depth, the deepest first. In the order of the index that has
-- a comment's replies: else all comments might be read, once for each level of a conversation.
WITH RECURSIVE thread AS (
  SELECT comment_id, 1 AS depth FROM comments WHERE reply_to_id = $1::uuid AND deleted_at IS NULL
  UNION ALL
  SELECT reply.comment_id, thread.depth + 1 FROM thread CROSS JOIN LATERAL (
    SELECT comment_id FROM comments c WHERE c.reply_to_id = thread.comment_id AND c.deleted_at IS NULL
    ORDER BY c.created_at, c.comment_id
  ) reply
)
SELECT comment_id AS "commentId" FROM thread ORDER BY depth DESC

-- name: findVisible
-- $1 comment ids, $2 reader's user id or null. Those that he may see.
SELECT c.comment_id, c.post_id, u.user_id AS author_id, c.content, c.created_at, c.reply_to_id
FROM comments c
JOIN users u ON u.id = c.author_id
LEFT JOIN users r ON r.user_id = $2
WHERE c.comment_id = ANY ($1::uuid[]) AND c.deleted_at IS NULL
  AND may_see_post(c.post_id, r.id) AND NOT is_blocked(c.author_id, r.id)

-- name: pageOfPosts
-- $1 post ids, $2 reader's user id or null, $3, $4 after this (time, comment id), $5 at most for each.
-- What answers each post itself, oldest first, but for what is deleted or by somebody blocked either way.
SELECT wanted.id AS of, c.comment_id, c.post_id, u.user_id AS author_id, c.content, c.created_at, c.reply_to_id
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM comments
  WHERE post_id = wanted.id AND reply_to_id IS NULL AND deleted_at IS NULL
    AND (created_at, comment_id) > ($3::timestamptz, $4::uuid)
    AND author_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at, comment_id LIMIT $5
) c
JOIN users u ON u.id = c.author_id
ORDER BY c.created_at, c.comment_id

-- name: pageOfPostsBack
-- As pageOfPosts, the other way: what is older than the place, newest first.
SELECT wanted.id AS of, c.comment_id, c.post_id, u.user_id AS author_id, c.content, c.created_at, c.reply_to_id
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM comments
  WHERE post_id = wanted.id AND reply_to_id IS NULL AND deleted_at IS NULL
    AND (created_at, comment_id) < ($3::timestamptz, $4::uuid)
    AND author_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at DESC, comment_id DESC LIMIT $5
) c
JOIN users u ON u.id = c.author_id
ORDER BY c.created_at DESC, c.comment_id DESC

-- name: pageOfComments
-- As pageOfPosts, for what answers each of these comments.
SELECT wanted.id AS of, c.comment_id, c.post_id, u.user_id AS author_id, c.content, c.created_at, c.reply_to_id
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM comments
  WHERE reply_to_id = wanted.id AND deleted_at IS NULL
    AND (created_at, comment_id) > ($3::timestamptz, $4::uuid)
    AND author_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at, comment_id LIMIT $5
) c
JOIN users u ON u.id = c.author_id
ORDER BY c.created_at, c.comment_id

-- name: pageOfCommentsBack
-- As pageOfComments, the other way.
SELECT wanted.id AS of, c.comment_id, c.post_id, u.user_id AS author_id, c.content, c.created_at, c.reply_to_id
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM comments
  WHERE reply_to_id = wanted.id AND deleted_at IS NULL
    AND (created_at, comment_id) < ($3::timestamptz, $4::uuid)
    AND author_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at DESC, comment_id DESC LIMIT $5
) c
JOIN users u ON u.id = c.author_id
ORDER BY c.created_at DESC, c.comment_id DESC

-- name: countOfPosts
-- $1 post ids, $2 reader's user id or null. How many comments pageOfPosts has for each.
SELECT post_id AS of, count(*) AS total FROM comments
WHERE post_id = ANY ($1::uuid[]) AND reply_to_id IS NULL AND deleted_at IS NULL
  AND author_id NOT IN (SELECT blocked_with($2))
GROUP BY post_id

-- name: countOfComments
-- $1 comment ids, $2 reader's user id or null. How many comments pageOfComments has for each.
SELECT reply_to_id AS of, count(*) AS total FROM comments
WHERE reply_to_id = ANY ($1::uuid[]) AND deleted_at IS NULL
  AND author_id NOT IN (SELECT blocked_with($2))
GROUP BY reply_to_id
