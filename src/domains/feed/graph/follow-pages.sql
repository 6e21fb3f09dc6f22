-- name: pageFollowers
-- $1 user ids, $2, $3 before this follow's (time, surrogate id), $4 at most for each, $5 viewer's user id or null. Who follows
-- them, newest follow first, without users who are blocked either way with the viewer; those have no page themselves.
-- not null: follower_count, following_count
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
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
-- not null: follower_count, following_count
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
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
-- not null: follower_count, following_count
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
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
-- not null: follower_count, following_count
SELECT of.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
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
