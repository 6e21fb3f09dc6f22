-- name: settle
-- $1 followers from which an author is a celebrity, $2 at most so many changes of each kind. A row that somebody else
-- holds is left for the next time: waiting for it while holding others could stop a command.
-- Out: whose status changed
WITH rising AS (
  SELECT id FROM users WHERE NOT is_celebrity AND follower_count >= $1
  ORDER BY follower_count DESC LIMIT $2 FOR UPDATE SKIP LOCKED
), falling AS (
  SELECT id FROM users WHERE is_celebrity AND follower_count < $1
  ORDER BY follower_count LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE users u SET is_celebrity = NOT u.is_celebrity
FROM (SELECT id FROM rising UNION ALL SELECT id FROM falling) changing
WHERE u.id = changing.id
RETURNING u.user_id
