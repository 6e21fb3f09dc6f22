-- name: progress
-- $1 post id; $2 the last follower's surrogate id whom a run has reached, $3 followers up to there, $4 how many of them were pushed to.
-- A run that is behind another only postpones the entry in the outbox.
-- Lock order: `fanouts` before `outbox`, as in `onlineDone` and `complete`. Postgres runs a data-modifying CTE that nothing reads from
-- after the main statement.
WITH entry AS (
  UPDATE outbox SET due_at = now() + interval '2 seconds', attempts = 0 WHERE key = 'feed.fan-out:' || $1::uuid
)
UPDATE fanouts SET after_follower = $2, followers = greatest(followers, $3), pushed = greatest(pushed, $4), touched_at = now()
WHERE post_id = $1::uuid AND after_follower < $2 AND completed_at IS NULL
