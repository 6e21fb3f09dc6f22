-- name: findComment
-- $1 comment id. Deleted or not, visible or not.
SELECT post_id AS "postId" FROM comments WHERE comment_id = $1::uuid

-- name: findReplies
-- $1 comment ids, $2 at most. Their replies that are not deleted, at any depth, the deepest first, and whether each has a reply that
-- is not among them. In the order of the index of a comment's replies: otherwise all comments might be read, once for each level of
-- a conversation.
-- not null: commentId, replyToId, isAnswered
WITH RECURSIVE thread AS (
  SELECT first.comment_id, root.id AS reply_to_id, 1 AS depth
  FROM unnest($1::uuid[]) AS root (id) CROSS JOIN LATERAL (
    SELECT comment_id FROM comments c WHERE c.reply_to_id = root.id AND c.deleted_at IS NULL
    ORDER BY c.created_at, c.comment_id LIMIT $2
  ) first
  UNION ALL
  SELECT reply.comment_id, thread.comment_id, thread.depth + 1 FROM thread CROSS JOIN LATERAL (
    SELECT comment_id FROM comments c WHERE c.reply_to_id = thread.comment_id AND c.deleted_at IS NULL
    ORDER BY c.created_at, c.comment_id LIMIT $2
  ) reply
), found AS MATERIALIZED (
  SELECT * FROM thread LIMIT $2
)
SELECT found.comment_id AS "commentId", found.reply_to_id AS "replyToId", answer.is_there AS "isAnswered"
FROM found CROSS JOIN LATERAL (
  -- None where the end of the conversation was reached.
  SELECT (SELECT count(*) FROM found) >= $2 AND (
    SELECT true FROM comments c
    WHERE c.reply_to_id = found.comment_id AND c.deleted_at IS NULL AND c.comment_id NOT IN (SELECT comment_id FROM found)
    ORDER BY c.created_at, c.comment_id LIMIT 1
  ) IS NOT NULL AS is_there
) answer
ORDER BY found.depth DESC

-- name: findVisible
-- $1 comment ids, $2 reader's user id or null. Those that they may see.
SELECT c.comment_id AS "commentId", c.post_id AS "postId", u.user_id AS "authorId", c.content,
  c.created_at AS "createdAt", c.reply_to_id AS "replyToId"
FROM comments c
JOIN users u ON u.id = c.author_id
LEFT JOIN users r ON r.user_id = $2
WHERE c.comment_id = ANY ($1::uuid[]) AND c.deleted_at IS NULL
  AND may_see_post(c.post_id, r.id) AND NOT is_blocked(c.author_id, r.id)

-- name: pageOfPosts
-- $1 post ids, $2 reader's user id or null, $3, $4 after this (time, comment id), $5 at most for each.
-- The comments on each post itself, oldest first, without deleted ones and those of users who are blocked either way.
-- not null: of
SELECT wanted.id AS of, c.comment_id AS "commentId", c.post_id AS "postId", u.user_id AS "authorId", c.content,
  c.created_at AS "createdAt", c.reply_to_id AS "replyToId"
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
-- not null: of
SELECT wanted.id AS of, c.comment_id AS "commentId", c.post_id AS "postId", u.user_id AS "authorId", c.content,
  c.created_at AS "createdAt", c.reply_to_id AS "replyToId"
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
-- As pageOfPosts, for the replies to each of these comments.
-- not null: of
SELECT wanted.id AS of, c.comment_id AS "commentId", c.post_id AS "postId", u.user_id AS "authorId", c.content,
  c.created_at AS "createdAt", c.reply_to_id AS "replyToId"
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
-- not null: of
SELECT wanted.id AS of, c.comment_id AS "commentId", c.post_id AS "postId", u.user_id AS "authorId", c.content,
  c.created_at AS "createdAt", c.reply_to_id AS "replyToId"
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
-- $1 post ids, $2 reader's user id or null, $3 look at no more than this. How many comments pageOfPosts has for each, and at how
-- many it looked.
-- not null: of, count, looked
SELECT wanted.id AS of, counted.*
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE author_id NOT IN (SELECT blocked_with($2)))::int AS count, count(*)::int AS looked
  FROM (
    SELECT author_id FROM comments WHERE post_id = wanted.id AND reply_to_id IS NULL AND deleted_at IS NULL
    ORDER BY created_at, comment_id LIMIT $3
  ) AS first
) AS counted

-- name: countOfComments
-- As countOfPosts, for how many pageOfComments has.
-- not null: of, count, looked
SELECT wanted.id AS of, counted.*
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE author_id NOT IN (SELECT blocked_with($2)))::int AS count, count(*)::int AS looked
  FROM (
    SELECT author_id FROM comments WHERE reply_to_id = wanted.id AND deleted_at IS NULL
    ORDER BY created_at, comment_id LIMIT $3
  ) AS first
) AS counted

-- name: allOfPost
-- $1 post id. For the planner's estimate; never run.
SELECT FROM comments WHERE post_id = $1::uuid AND reply_to_id IS NULL AND deleted_at IS NULL

-- name: allOfComment
-- $1 comment id. As allOfPost.
SELECT FROM comments WHERE reply_to_id = $1::uuid AND deleted_at IS NULL
