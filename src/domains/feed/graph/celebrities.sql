-- name: settle
-- $1 followers from which an author is a celebrity, $2 at most so many changes of each kind. A row that is locked
-- is left for the next time: waiting for it while holding others could stop a command. The index has copies of the numbers,
-- which are less than 16, or a sixteenth, away: see add_to_follow_counts.
-- Out: whose status changed
WITH rising AS (
  SELECT u.id FROM users u
  WHERE NOT u.is_celebrity AND u.follower_count > $1::int / 17 * 16 - 16
    AND (SELECT c.follower_count FROM counted_users c WHERE c.id = u.id) >= $1
  ORDER BY u.follower_count DESC LIMIT $2 FOR UPDATE SKIP LOCKED
), falling AS (
  SELECT u.id FROM users u
  WHERE u.is_celebrity AND u.follower_count < $1::int / 15 * 16 + 32
    AND (SELECT c.follower_count FROM counted_users c WHERE c.id = u.id) < $1
  ORDER BY u.follower_count LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE users u SET is_celebrity = NOT u.is_celebrity
FROM (SELECT id FROM rising UNION ALL SELECT id FROM falling) changing
WHERE u.id = changing.id
RETURNING u.user_id
