-- name: pageMuted
-- $1 user id, $2, $3 before this row's (time, surrogate id), $4 at most. Whom he mutes, latest first.
SELECT me.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
FROM users me JOIN mutes e ON e.user_id = me.id JOIN users u ON u.id = e.muted_id
WHERE me.user_id = $1 AND (e.created_at, e.muted_id) < ($2::timestamptz, $3::bigint)
ORDER BY e.created_at DESC, e.muted_id DESC LIMIT $4

-- name: pageMutedBack
-- As pageMuted, the other way: what is newer than the row, oldest first.
SELECT me.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
FROM users me JOIN mutes e ON e.user_id = me.id JOIN users u ON u.id = e.muted_id
WHERE me.user_id = $1 AND (e.created_at, e.muted_id) > ($2::timestamptz, $3::bigint)
ORDER BY e.created_at, e.muted_id LIMIT $4

-- name: pageBlocked
-- As pageMuted, for whom he blocks.
SELECT me.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
FROM users me JOIN blocks e ON e.user_id = me.id JOIN users u ON u.id = e.blocked_id
WHERE me.user_id = $1 AND (e.created_at, e.blocked_id) < ($2::timestamptz, $3::bigint)
ORDER BY e.created_at DESC, e.blocked_id DESC LIMIT $4

-- name: pageBlockedBack
-- As pageBlocked, the other way.
SELECT me.user_id AS of, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count, e.created_at AS since
FROM users me JOIN blocks e ON e.user_id = me.id JOIN users u ON u.id = e.blocked_id
WHERE me.user_id = $1 AND (e.created_at, e.blocked_id) > ($2::timestamptz, $3::bigint)
ORDER BY e.created_at, e.blocked_id LIMIT $4

-- name: countMuted
-- $1 user id
SELECT count(*) AS count FROM mutes WHERE user_id = (SELECT id FROM users WHERE user_id = $1)

-- name: countBlocked
-- $1 user id
SELECT count(*) AS count FROM blocks WHERE user_id = (SELECT id FROM users WHERE user_id = $1)
