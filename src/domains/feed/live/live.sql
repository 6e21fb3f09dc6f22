-- name: tracesOf
-- $1 log positions of posts. The trace contexts of those that have one; a trace that began an hour ago is over.
-- not null: traceparent
SELECT global_position AS position, metadata ->> 'traceparent' AS traceparent FROM events
WHERE global_position = ANY ($1::bigint[]) AND metadata ? 'traceparent' AND created_at > now() - interval '1 hour'

-- name: missed
-- $1 reader's user id, $2 after this log position, $3 but not these positions, $4 at most.
-- Pushed posts of users whom the reader follows now, in log order. Where there are more, any of them: they are too many to
-- send, and sorting everything since an old cursor would be slow.
SELECT * FROM (
  SELECT p.post_id AS "postId", u.user_id AS "authorId", p.created_at AS "createdAt", p.position
  FROM posts p JOIN users u ON u.id = p.author_id
  JOIN follows f ON f.followee_id = p.author_id
  WHERE f.follower_id = (SELECT id FROM users WHERE user_id = $1)
    AND p.position > $2 AND p.position <> ALL ($3::bigint[])
    AND p.distribution = 'push' AND p.visibility <> 'private' AND p.deleted_at IS NULL
  LIMIT $4
) found
ORDER BY found.position
