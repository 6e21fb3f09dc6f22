-- name: begin
-- $1 post ids. Writes the fan-outs to be done, in the transaction of the projector's checkpoint, and answers the new ones.
INSERT INTO fanouts (post_id, author, position)
SELECT p.post_id, u.user_id, p.position
FROM posts p JOIN users u ON u.id = p.author_id
WHERE p.post_id = ANY ($1::uuid[]) AND p.distribution = 'push' AND p.visibility <> 'private' AND p.deleted_at IS NULL
ON CONFLICT DO NOTHING
RETURNING post_id AS "postId", author AS "authorId"

-- name: next
-- $1 author's user id. Their oldest unfinished fan-out; author_id and created_at are null where the post is gone.
-- null: author_id, created_at
SELECT f.post_id, f.position, f.online_done, f.after_follower, f.followers, f.pushed, f.author, p.author_id, p.created_at
FROM fanouts f
LEFT JOIN posts p ON p.post_id = f.post_id AND p.deleted_at IS NULL
WHERE f.author = $1 AND f.completed_at IS NULL
ORDER BY f.position LIMIT 1

-- name: traceOf
-- $1 post id. The trace context of its fan-out; no row where it is finished.
SELECT traceparent FROM outbox WHERE key = 'feed.fan-out:' || $1::uuid

-- name: onlineDone
-- $1 post id. Connected followers have it. Lock order as in `progress`.
WITH entry AS (
  UPDATE outbox SET due_at = now() + interval '2 seconds', attempts = 0 WHERE key = 'feed.fan-out:' || $1::uuid
)
UPDATE fanouts SET online_done = true, touched_at = now() WHERE post_id = $1::uuid

-- name: complete
-- $1 post id; $2, $3, $4 how far the run came, as in `progress`. Completes its entry in the outbox too (lock order as in
-- `progress`). Counts never go down: a run that is behind overwrites nothing of one that is ahead.
-- `more` says whether its author has other unfinished ones. Connected followers were perhaps served twice, by a run that was killed
-- and by the next: there are no more warm feeds than followers.
-- not null: seconds, more
WITH completed AS (
  UPDATE fanouts SET completed_at = now(), touched_at = now(), after_follower = greatest(after_follower, $2),
    followers = greatest(followers, $3), pushed = least(greatest(pushed, $4), greatest(followers, $3))
  WHERE post_id = $1 AND completed_at IS NULL
  RETURNING author, followers, pushed, EXTRACT(epoch FROM now() - created_at)::float8 AS seconds
), entry AS (
  DELETE FROM outbox WHERE key = 'feed.fan-out:' || $1::uuid
)
SELECT followers, pushed, seconds, EXISTS (
  SELECT FROM fanouts other WHERE other.author = completed.author AND other.completed_at IS NULL AND other.post_id <> $1
) AS more
FROM completed

-- name: published
-- $1 post ids. Those that are not deleted, in log order.
-- not null: is_pulled
SELECT p.post_id, u.user_id AS author, p.created_at, p.distribution = 'pull' AND p.visibility <> 'private' AS is_pulled
FROM posts p JOIN users u ON u.id = p.author_id
WHERE p.post_id = ANY ($1::uuid[]) AND p.deleted_at IS NULL
ORDER BY p.position
