-- name: signIn
-- $1 user id. Makes a bare profile on first sight.
INSERT INTO users (user_id, display_name, last_seen_at) VALUES ($1, $1, now())
ON CONFLICT (user_id) DO UPDATE SET last_seen_at = now()

-- name: saveProfile
-- $1 user id, $2 display name, $3 avatar url, $4 whether it replaces the former one, $5 the last media id whose first day is over.
-- See save_profile.
-- not null: isSaved
SELECT save_profile($1, $2, $3, $4, $5::uuid) AS "isSaved"

-- name: findUsers
-- $1 user ids
-- not null: followerCount, followingCount
SELECT id, user_id AS "userId", display_name AS "displayName", avatar_url AS "avatarUrl", is_verified AS "isVerified",
  is_celebrity AS "isCelebrity", follower_count AS "followerCount", following_count AS "followingCount"
FROM counted_users WHERE user_id = ANY ($1)

-- name: findRelations
-- $1 user id, $2 other users' ids. Their relation to each of them; follows without effect are included, `blocked` marks those.
-- not null: followed, follows_me, muted, blocked_by_me, blocks_me
SELECT o.user_id,
  EXISTS (SELECT FROM follows f WHERE f.follower_id = me.id AND f.followee_id = o.id) AS followed,
  EXISTS (SELECT FROM follows f WHERE f.follower_id = o.id AND f.followee_id = me.id) AS follows_me,
  EXISTS (SELECT FROM mutes m WHERE m.user_id = me.id AND m.muted_id = o.id) AS muted,
  EXISTS (SELECT FROM blocks b WHERE b.user_id = me.id AND b.blocked_id = o.id) AS blocked_by_me,
  EXISTS (SELECT FROM blocks b WHERE b.user_id = o.id AND b.blocked_id = me.id) AS blocks_me
FROM users me CROSS JOIN users o
WHERE me.user_id = $1 AND o.user_id = ANY ($2)

-- name: setVerified
-- $1 user id, $2 whether they are verified. Nothing where there is no such user.
UPDATE users SET is_verified = $2 WHERE user_id = $1

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
