-- name: tracesOf
-- $1 log positions of posts. The trace contexts of those that have one; a trace that began an hour ago is over.
-- not null: traceparent
SELECT global_position AS position, metadata ->> 'traceparent' AS traceparent FROM events
WHERE global_position = ANY ($1::bigint[]) AND metadata ? 'traceparent' AND created_at > now() - interval '1 hour'

-- name: missed
-- $1 user ids of readers; of each, by its place: $2 after this log position, $3 but not these positions, as text of a bigint[].
-- $4 at most so many of each reader.
-- Pushed posts of users whom the reader follows now, in log order; `reader` counts from 1. Where there are more, any of them:
-- they are too many to send, and sorting everything since an old cursor would be slow.
-- not null: reader
SELECT asked.reader::int AS reader, found.*
FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS asked (user_id, after, seen, reader)
CROSS JOIN LATERAL (
  SELECT p.post_id AS "postId", u.user_id AS "authorId", p.created_at AS "createdAt", p.position
  FROM posts p JOIN users u ON u.id = p.author_id
  JOIN follows f ON f.followee_id = p.author_id
  WHERE f.follower_id = (SELECT id FROM users WHERE user_id = asked.user_id)
    AND p.position > asked.after AND p.position <> ALL (asked.seen::bigint[])
    AND p.distribution = 'push' AND p.visibility <> 'private' AND p.deleted_at IS NULL
  LIMIT $4
) found
ORDER BY asked.reader, found.position
