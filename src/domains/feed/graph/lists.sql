-- name: pageFollowers
-- $1 user ids, $2, $3 before this follow's (time, surrogate id), $4 at most for each, $5 viewer's user id or null. Who follows
-- them, newest follow first, without users who are blocked either way with the viewer; those have no page themselves.
-- not null: followerCount, followingCount
SELECT of.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users of
LEFT JOIN users me ON me.user_id = $5
CROSS JOIN LATERAL (
  SELECT follower_id, created_at FROM follows f
  WHERE followee_id = of.id AND (created_at, follower_id) < ($2::timestamptz, $3::bigint)
    AND NOT is_blocked(me.id, follower_id)
  ORDER BY created_at DESC, follower_id DESC LIMIT $4
) e
JOIN counted_users u ON u.id = e.follower_id
WHERE of.user_id = ANY ($1) AND NOT is_blocked(me.id, of.id)
ORDER BY e.created_at DESC, e.follower_id DESC

-- name: pageFollowersBack
-- As pageFollowers, the other way: what is newer than the follow, oldest first.
-- not null: followerCount, followingCount
SELECT of.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users of
LEFT JOIN users me ON me.user_id = $5
CROSS JOIN LATERAL (
  SELECT follower_id, created_at FROM follows f
  WHERE followee_id = of.id AND (created_at, follower_id) > ($2::timestamptz, $3::bigint)
    AND NOT is_blocked(me.id, follower_id)
  ORDER BY created_at, follower_id LIMIT $4
) e
JOIN counted_users u ON u.id = e.follower_id
WHERE of.user_id = ANY ($1) AND NOT is_blocked(me.id, of.id)
ORDER BY e.created_at, e.follower_id

-- name: pageFollowing
-- As pageFollowers, for whom they follow.
-- not null: followerCount, followingCount
SELECT of.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users of
LEFT JOIN users me ON me.user_id = $5
CROSS JOIN LATERAL (
  SELECT followee_id, created_at FROM follows f
  WHERE follower_id = of.id AND (created_at, followee_id) < ($2::timestamptz, $3::bigint)
    AND NOT is_blocked(me.id, followee_id)
  ORDER BY created_at DESC, followee_id DESC LIMIT $4
) e
JOIN counted_users u ON u.id = e.followee_id
WHERE of.user_id = ANY ($1) AND NOT is_blocked(me.id, of.id)
ORDER BY e.created_at DESC, e.followee_id DESC

-- name: pageFollowingBack
-- As pageFollowing, the other way.
-- not null: followerCount, followingCount
SELECT of.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users of
LEFT JOIN users me ON me.user_id = $5
CROSS JOIN LATERAL (
  SELECT followee_id, created_at FROM follows f
  WHERE follower_id = of.id AND (created_at, followee_id) > ($2::timestamptz, $3::bigint)
    AND NOT is_blocked(me.id, followee_id)
  ORDER BY created_at, followee_id LIMIT $4
) e
JOIN counted_users u ON u.id = e.followee_id
WHERE of.user_id = ANY ($1) AND NOT is_blocked(me.id, of.id)
ORDER BY e.created_at, e.followee_id

-- name: pageMuted
-- $1 user id, $2, $3 before this row's (time, surrogate id), $4 at most. Whom they mute, latest first.
-- not null: followerCount, followingCount
SELECT me.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users me
CROSS JOIN LATERAL (
  SELECT muted_id, created_at FROM mutes
  WHERE user_id = me.id AND (created_at, muted_id) < ($2::timestamptz, $3::bigint)
  ORDER BY created_at DESC, muted_id DESC LIMIT $4
) e
JOIN counted_users u ON u.id = e.muted_id
WHERE me.user_id = $1
ORDER BY e.created_at DESC, e.muted_id DESC

-- name: pageMutedBack
-- As pageMuted, the other way: what is newer than the row, oldest first.
-- not null: followerCount, followingCount
SELECT me.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users me
CROSS JOIN LATERAL (
  SELECT muted_id, created_at FROM mutes
  WHERE user_id = me.id AND (created_at, muted_id) > ($2::timestamptz, $3::bigint)
  ORDER BY created_at, muted_id LIMIT $4
) e
JOIN counted_users u ON u.id = e.muted_id
WHERE me.user_id = $1
ORDER BY e.created_at, e.muted_id

-- name: pageBlocked
-- As pageMuted, for blocks.
-- not null: followerCount, followingCount
SELECT me.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users me
CROSS JOIN LATERAL (
  SELECT blocked_id, created_at FROM blocks
  WHERE user_id = me.id AND (created_at, blocked_id) < ($2::timestamptz, $3::bigint)
  ORDER BY created_at DESC, blocked_id DESC LIMIT $4
) e
JOIN counted_users u ON u.id = e.blocked_id
WHERE me.user_id = $1
ORDER BY e.created_at DESC, e.blocked_id DESC

-- name: pageBlockedBack
-- As pageBlocked, the other way.
-- not null: followerCount, followingCount
SELECT me.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users me
CROSS JOIN LATERAL (
  SELECT blocked_id, created_at FROM blocks
  WHERE user_id = me.id AND (created_at, blocked_id) > ($2::timestamptz, $3::bigint)
  ORDER BY created_at, blocked_id LIMIT $4
) e
JOIN counted_users u ON u.id = e.blocked_id
WHERE me.user_id = $1
ORDER BY e.created_at, e.blocked_id

-- name: pageCloseFriends
-- As pageMuted, for the close friends whom they follow: without the follow it has no effect. Users
-- who are blocked either way are left out.
-- not null: followerCount, followingCount
SELECT me.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users me JOIN close_friends e ON e.user_id = me.id JOIN counted_users u ON u.id = e.friend_id
WHERE me.user_id = $1 AND (e.created_at, e.friend_id) < ($2::timestamptz, $3::bigint)
  AND EXISTS (SELECT FROM follows f WHERE f.follower_id = me.id AND f.followee_id = u.id) AND NOT is_blocked(me.id, u.id)
ORDER BY e.created_at DESC, e.friend_id DESC LIMIT $4

-- name: pageCloseFriendsBack
-- As pageCloseFriends, the other way.
-- not null: followerCount, followingCount
SELECT me.user_id AS of, u.id, u.user_id AS "userId", u.display_name AS "displayName", u.avatar_url AS "avatarUrl",
  u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity", u.follower_count AS "followerCount",
  u.following_count AS "followingCount", e.created_at AS since
FROM users me JOIN close_friends e ON e.user_id = me.id JOIN counted_users u ON u.id = e.friend_id
WHERE me.user_id = $1 AND (e.created_at, e.friend_id) > ($2::timestamptz, $3::bigint)
  AND EXISTS (SELECT FROM follows f WHERE f.follower_id = me.id AND f.followee_id = u.id) AND NOT is_blocked(me.id, u.id)
ORDER BY e.created_at, e.friend_id LIMIT $4

-- name: muted
-- $1 user id. All whom they mute, to be counted.
SELECT FROM mutes WHERE user_id = (SELECT id FROM users WHERE user_id = $1)

-- name: blocked
-- $1 user id
SELECT FROM blocks WHERE user_id = (SELECT id FROM users WHERE user_id = $1)

-- name: closeFriends
-- $1 user id
SELECT FROM users me JOIN close_friends e ON e.user_id = me.id
  JOIN follows f ON f.follower_id = me.id AND f.followee_id = e.friend_id
WHERE me.user_id = $1 AND NOT is_blocked(me.id, e.friend_id)
