-- name: signIn
-- $1 user id. Makes a bare profile on first sight.
INSERT INTO users (user_id, display_name, last_seen_at) VALUES ($1, $1, now())
ON CONFLICT (user_id) DO UPDATE SET last_seen_at = now()

-- name: saveProfile
-- $1 user id, $2 display name, $3 avatar url, $4 whether it replaces the former one
INSERT INTO users (user_id, display_name, avatar_url, last_seen_at) VALUES ($1, $2, $3, now())
ON CONFLICT (user_id) DO UPDATE SET display_name = $2,
  avatar_url = CASE WHEN $4 THEN $3 ELSE users.avatar_url END

-- name: findUsers
-- $1 user ids
-- not null: follower_count, following_count
SELECT id, user_id, display_name, avatar_url, is_verified, is_celebrity, follower_count, following_count
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
