-- name: search
-- $1 what ids or names start with, whatever their case; of ids those after $2, $3, of names those after $4, $5 (text in lower
-- case, surrogate id); $6 at most; $7 the viewer's user id: whom a block keeps from him is not found.
-- Ids (rank 0) come first, then names (rank 1), each in order.
WITH me AS (SELECT id FROM users WHERE user_id = $7)
SELECT f.rank, f.key, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count
FROM (
  (SELECT 0 AS rank, lower(user_id) COLLATE "C" AS key, id FROM users
    WHERE lower(user_id) COLLATE "C" >= lower($1) COLLATE "C" AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (lower(user_id) COLLATE "C", id) > ($2::text COLLATE "C", $3::bigint)
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(user_id) COLLATE "C", id LIMIT $6)
  UNION ALL
  (SELECT 1 AS rank, lower(display_name) COLLATE "C" AS key, id FROM users
    WHERE lower(display_name) COLLATE "C" >= lower($1) COLLATE "C" AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (lower(display_name) COLLATE "C", id) > ($4::text COLLATE "C", $5::bigint)
      AND NOT starts_with(lower(user_id), lower($1))
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(display_name) COLLATE "C", id LIMIT $6)
) f
JOIN users u ON u.id = f.id
ORDER BY f.rank, f.key, f.id LIMIT $6

-- name: searchBack
-- As search, the other way: what stands before the places, nearest first.
WITH me AS (SELECT id FROM users WHERE user_id = $7)
SELECT f.rank, f.key, u.id, u.user_id, u.display_name, u.avatar_url, u.is_verified, u.is_celebrity, u.follower_count,
  u.following_count
FROM (
  (SELECT 0 AS rank, lower(user_id) COLLATE "C" AS key, id FROM users
    WHERE lower(user_id) COLLATE "C" >= lower($1) COLLATE "C" AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (lower(user_id) COLLATE "C", id) < ($2::text COLLATE "C", $3::bigint)
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(user_id) COLLATE "C" DESC, id DESC LIMIT $6)
  UNION ALL
  (SELECT 1 AS rank, lower(display_name) COLLATE "C" AS key, id FROM users
    WHERE lower(display_name) COLLATE "C" >= lower($1) COLLATE "C" AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND (lower(display_name) COLLATE "C", id) < ($4::text COLLATE "C", $5::bigint)
      AND NOT starts_with(lower(user_id), lower($1))
      AND NOT is_blocked(id, (SELECT id FROM me))
    ORDER BY lower(display_name) COLLATE "C" DESC, id DESC LIMIT $6)
) f
JOIN users u ON u.id = f.id
ORDER BY f.rank DESC, f.key DESC, f.id DESC LIMIT $6

-- name: countFound
-- $1 what ids or names start with; $2 the viewer's user id; $3 count no further than this
WITH me AS (SELECT id FROM users WHERE user_id = $2),
hidden AS (
  SELECT blocked_id AS id FROM blocks WHERE user_id = (SELECT id FROM me)
  UNION SELECT user_id FROM blocks WHERE blocked_id = (SELECT id FROM me)
)
SELECT least($3,
  (SELECT count(*) FROM (
    SELECT FROM users
    WHERE lower(user_id) COLLATE "C" >= lower($1) COLLATE "C" AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND id NOT IN (SELECT id FROM hidden)
    ORDER BY lower(user_id) COLLATE "C", id LIMIT $3
  ) counted) +
  (SELECT count(*) FROM (
    SELECT FROM users
    WHERE lower(display_name) COLLATE "C" >= lower($1) COLLATE "C" AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C"
      AND NOT starts_with(lower(user_id), lower($1))
      AND id NOT IN (SELECT id FROM hidden)
    ORDER BY lower(display_name) COLLATE "C", id LIMIT $3
  ) counted)) AS count
