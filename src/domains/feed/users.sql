-- name: signIn
-- $1 user id. Makes a bare profile on first sight.
INSERT INTO users (user_id, display_name, last_seen_at) VALUES ($1, $1, now())
ON CONFLICT (user_id) DO UPDATE SET last_seen_at = now()

-- name: saveProfile
-- $1 user id, $2 display name, $3 avatar url
INSERT INTO users (user_id, display_name, avatar_url, last_seen_at) VALUES ($1, $2, $3, now())
ON CONFLICT (user_id) DO UPDATE SET display_name = $2, avatar_url = $3
RETURNING id, user_id, display_name, avatar_url, is_verified, is_celebrity, follower_count, following_count

-- name: findUsers
-- $1 user ids
SELECT id, user_id, display_name, avatar_url, is_verified, is_celebrity, follower_count, following_count
FROM users WHERE user_id = ANY ($1)

-- name: findFollows
-- $1 user id, $2 other users' ids: which of them he follows, and which follow him
SELECT o.user_id,
  EXISTS (SELECT FROM follows f WHERE f.follower_id = me.id AND f.followee_id = o.id) AS followed,
  EXISTS (SELECT FROM follows f WHERE f.follower_id = o.id AND f.followee_id = me.id) AS follows_me
FROM users me CROSS JOIN users o
WHERE me.user_id = $1 AND o.user_id = ANY ($2)

-- name: pageFollowers
-- $1 user id, $2 before this edge's (time, surrogate id) or null, $3, $4 at most. Newest edge first.
SELECT u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM follows f JOIN users u ON u.id = f.follower_id
WHERE f.followee_id = (SELECT id FROM users WHERE user_id = $1)
  AND ($2::timestamptz IS NULL OR (f.created_at, f.follower_id) < ($2, $3::bigint))
ORDER BY f.created_at DESC, f.follower_id DESC LIMIT $4

-- name: pageFollowersBack
-- As pageFollowers, the other way: what is newer than the edge, oldest first.
SELECT u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM follows f JOIN users u ON u.id = f.follower_id
WHERE f.followee_id = (SELECT id FROM users WHERE user_id = $1)
  AND ($2::timestamptz IS NULL OR (f.created_at, f.follower_id) > ($2, $3::bigint))
ORDER BY f.created_at, f.follower_id LIMIT $4

-- name: pageFollowing
-- As pageFollowers, for whom the user follows.
SELECT u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM follows f JOIN users u ON u.id = f.followee_id
WHERE f.follower_id = (SELECT id FROM users WHERE user_id = $1)
  AND ($2::timestamptz IS NULL OR (f.created_at, f.followee_id) < ($2, $3::bigint))
ORDER BY f.created_at DESC, f.followee_id DESC LIMIT $4

-- name: pageFollowingBack
-- As pageFollowing, the other way.
SELECT u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM follows f JOIN users u ON u.id = f.followee_id
WHERE f.follower_id = (SELECT id FROM users WHERE user_id = $1)
  AND ($2::timestamptz IS NULL OR (f.created_at, f.followee_id) > ($2, $3::bigint))
ORDER BY f.created_at, f.followee_id LIMIT $4
