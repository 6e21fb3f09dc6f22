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
-- $1 user ids, $2, $3 before this edge's (time, surrogate id), $4 at most for each. Who follows them, newest edge first.
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM users of
CROSS JOIN LATERAL (
  SELECT follower_id, created_at FROM follows
  WHERE followee_id = of.id AND (created_at, follower_id) < ($2::timestamptz, $3::bigint)
  ORDER BY created_at DESC, follower_id DESC LIMIT $4
) f
JOIN users u ON u.id = f.follower_id
WHERE of.user_id = ANY ($1)
ORDER BY f.created_at DESC, f.follower_id DESC

-- name: pageFollowersBack
-- As pageFollowers, the other way: what is newer than the edge, oldest first.
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM users of
CROSS JOIN LATERAL (
  SELECT follower_id, created_at FROM follows
  WHERE followee_id = of.id AND (created_at, follower_id) > ($2::timestamptz, $3::bigint)
  ORDER BY created_at, follower_id LIMIT $4
) f
JOIN users u ON u.id = f.follower_id
WHERE of.user_id = ANY ($1)
ORDER BY f.created_at, f.follower_id

-- name: pageFollowing
-- As pageFollowers, for whom they follow.
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM users of
CROSS JOIN LATERAL (
  SELECT followee_id, created_at FROM follows
  WHERE follower_id = of.id AND (created_at, followee_id) < ($2::timestamptz, $3::bigint)
  ORDER BY created_at DESC, followee_id DESC LIMIT $4
) f
JOIN users u ON u.id = f.followee_id
WHERE of.user_id = ANY ($1)
ORDER BY f.created_at DESC, f.followee_id DESC

-- name: pageFollowingBack
-- As pageFollowing, the other way.
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, f.created_at AS followed_at
FROM users of
CROSS JOIN LATERAL (
  SELECT followee_id, created_at FROM follows
  WHERE follower_id = of.id AND (created_at, followee_id) > ($2::timestamptz, $3::bigint)
  ORDER BY created_at, followee_id LIMIT $4
) f
JOIN users u ON u.id = f.followee_id
WHERE of.user_id = ANY ($1)
ORDER BY f.created_at, f.followee_id
