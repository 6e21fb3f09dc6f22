-- name: search
-- $1 what ids or names start with, whatever their case; $2, $3, $4 after this (rank, key, surrogate id); $5 at most; $6 the
-- viewer's user id: whom a block keeps from him is not found. Ids (rank 0) first, then names (rank 1), each in order.
WITH me AS (SELECT id FROM users WHERE user_id = $6)
SELECT f.rank, f.key, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count
FROM (
  (SELECT 0 AS rank, lower(user_id) COLLATE "C" AS key, id FROM users
    WHERE lower(user_id) COLLATE "C" >= lower($1) COLLATE "C" AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (0 > $2 OR (0 = $2 AND (lower(user_id) COLLATE "C", id) > ($3::text COLLATE "C", $4::bigint)))
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(user_id) COLLATE "C", id LIMIT $5)
  UNION ALL
  (SELECT 1 AS rank, lower(display_name) COLLATE "C" AS key, id FROM users
    WHERE lower(display_name) COLLATE "C" >= lower($1) COLLATE "C" AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (1 > $2 OR (1 = $2 AND (lower(display_name) COLLATE "C", id) > ($3::text COLLATE "C", $4::bigint)))
      AND NOT starts_with(lower(user_id), lower($1))
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(display_name) COLLATE "C", id LIMIT $5)
) f
JOIN users u ON u.id = f.id
ORDER BY f.rank, f.key, f.id LIMIT $5

-- name: searchBack
-- As search, the other way: what stands before the place, nearest first.
WITH me AS (SELECT id FROM users WHERE user_id = $6)
SELECT f.rank, f.key, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count
FROM (
  (SELECT 0 AS rank, lower(user_id) COLLATE "C" AS key, id FROM users
    WHERE lower(user_id) COLLATE "C" >= lower($1) COLLATE "C" AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (0 < $2 OR (0 = $2 AND (lower(user_id) COLLATE "C", id) < ($3::text COLLATE "C", $4::bigint)))
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(user_id) COLLATE "C" DESC, id DESC LIMIT $5)
  UNION ALL
  (SELECT 1 AS rank, lower(display_name) COLLATE "C" AS key, id FROM users
    WHERE lower(display_name) COLLATE "C" >= lower($1) COLLATE "C" AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (1 < $2 OR (1 = $2 AND (lower(display_name) COLLATE "C", id) < ($3::text COLLATE "C", $4::bigint)))
      AND NOT starts_with(lower(user_id), lower($1))
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(display_name) COLLATE "C" DESC, id DESC LIMIT $5)
) f
JOIN users u ON u.id = f.id
ORDER BY f.rank DESC, f.key DESC, f.id DESC LIMIT $5

-- name: countFound
-- $1 what ids or names start with; $2 the viewer's user id; $3 count no further than this
WITH me AS (SELECT id FROM users WHERE user_id = $2)
SELECT count(*) AS count FROM (
  SELECT FROM (
    SELECT id FROM users WHERE lower(user_id) COLLATE "C" >= lower($1) COLLATE "C"
      AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
    UNION SELECT id FROM users WHERE lower(display_name) COLLATE "C" >= lower($1) COLLATE "C"
      AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
  ) f WHERE NOT is_blocked(id, (SELECT id FROM me)) LIMIT $3
) counted
