-- name: search
-- $1 what ids or names start with, whatever their case; of ids those after $2, $3, of names those after $4, $5 (text in lower
-- case, surrogate id); $6 at most; $7 the viewer's user id: users who are blocked either way are not found.
-- Ids (rank 0) come first, then names (rank 1), each in order. Names of users whose ids start so too are skipped by ranges of
-- users_by_name_alone, one for each number of characters that a name may share with its id, and are read only where ids do
-- not fill the page. Each range has one bound below: of two, Postgres may begin at the one that is further away. The
-- limits beside $6 change nothing but the plan, since the planner does not know $6.
-- not null: rank, key, id, userId, displayName, isVerified, isCelebrity, followerCount, followingCount
WITH q AS MATERIALIZED (
  SELECT l.prefix, l.prefix || chr(1114111) AS beyond, least(length(l.prefix) - 1, 64) AS shared,
    greatest(l.prefix, $2::text COLLATE "C") AS id_key, CASE WHEN $2::text COLLATE "C" < l.prefix THEN 0 ELSE $3::bigint END AS id_after,
    greatest(l.prefix, $4::text COLLATE "C") AS name_key, CASE WHEN $4::text COLLATE "C" < l.prefix THEN 0 ELSE $5::bigint END AS name_after,
    -- Null where there is no block to look for: most have none.
    (SELECT id FROM users u WHERE user_id = $7 AND (EXISTS (SELECT FROM blocks b WHERE b.user_id = u.id)
      OR EXISTS (SELECT FROM blocks b WHERE b.blocked_id = u.id))) AS me
  FROM (SELECT lower($1) COLLATE "C" AS prefix) AS l
), by_id AS MATERIALIZED (
  SELECT 0 AS rank, found.*
  FROM q CROSS JOIN LATERAL (SELECT * FROM (
    SELECT lower(user_id) COLLATE "C" AS key, users.* FROM counted_users AS users
    WHERE (lower(user_id) COLLATE "C", id) > (q.id_key, q.id_after) AND lower(user_id) COLLATE "C" < q.beyond
      AND NOT is_blocked(id, q.me)
    ORDER BY lower(user_id) COLLATE "C", id LIMIT $6) AS one LIMIT 101) AS found
), by_name AS (
  SELECT 1 AS rank, found.*
  FROM q CROSS JOIN LATERAL (SELECT generate_series(0, q.shared) AS shared LIMIT 65) AS s CROSS JOIN LATERAL (SELECT * FROM (
    SELECT lower(display_name) COLLATE "C" AS key, users.* FROM counted_users AS users
    WHERE shared_prefix(lower(user_id), lower(display_name)) = s.shared
      AND (lower(display_name) COLLATE "C", id) > (q.name_key, q.name_after) AND lower(display_name) COLLATE "C" < q.beyond
      AND NOT is_blocked(id, q.me)
    ORDER BY lower(display_name) COLLATE "C", id LIMIT $6) AS one LIMIT 101) AS found
  WHERE (SELECT count(*) FROM by_id) < $6
)
SELECT rank, key, id, user_id AS "userId", display_name AS "displayName", avatar_url AS "avatarUrl", is_verified AS "isVerified",
  is_celebrity AS "isCelebrity", follower_count AS "followerCount", following_count AS "followingCount"
FROM (SELECT * FROM by_id UNION ALL SELECT * FROM by_name) AS f
ORDER BY rank, key, id LIMIT $6

-- name: searchBack
-- As search, the other way: what comes before the places, nearest first. One bound above.
-- not null: rank, key, id, userId, displayName, isVerified, isCelebrity, followerCount, followingCount
WITH q AS MATERIALIZED (
  SELECT l.prefix, least(length(l.prefix) - 1, 64) AS shared,
    least(l.prefix || chr(1114111), $2::text COLLATE "C") AS id_key, $3::bigint AS id_before,
    least(l.prefix || chr(1114111), $4::text COLLATE "C") AS name_key, $5::bigint AS name_before,
    -- Null where there is no block to look for: most have none.
    (SELECT id FROM users u WHERE user_id = $7 AND (EXISTS (SELECT FROM blocks b WHERE b.user_id = u.id)
      OR EXISTS (SELECT FROM blocks b WHERE b.blocked_id = u.id))) AS me
  FROM (SELECT lower($1) COLLATE "C" AS prefix) AS l
), by_name AS MATERIALIZED (
  SELECT 1 AS rank, found.*
  FROM q CROSS JOIN LATERAL (SELECT generate_series(0, q.shared) AS shared LIMIT 65) AS s CROSS JOIN LATERAL (SELECT * FROM (
    SELECT lower(display_name) COLLATE "C" AS key, users.* FROM counted_users AS users
    WHERE shared_prefix(lower(user_id), lower(display_name)) = s.shared
      AND (lower(display_name) COLLATE "C", id) < (q.name_key, q.name_before) AND lower(display_name) COLLATE "C" >= q.prefix
      AND NOT is_blocked(id, q.me)
    ORDER BY lower(display_name) COLLATE "C" DESC, id DESC LIMIT $6) AS one LIMIT 101) AS found
), by_id AS (
  SELECT 0 AS rank, found.*
  FROM q CROSS JOIN LATERAL (SELECT * FROM (
    SELECT lower(user_id) COLLATE "C" AS key, users.* FROM counted_users AS users
    WHERE (lower(user_id) COLLATE "C", id) < (q.id_key, q.id_before) AND lower(user_id) COLLATE "C" >= q.prefix
      AND NOT is_blocked(id, q.me)
    ORDER BY lower(user_id) COLLATE "C" DESC, id DESC LIMIT $6) AS one LIMIT 101) AS found
  WHERE (SELECT count(*) FROM by_name) < $6
)
SELECT rank, key, id, user_id AS "userId", display_name AS "displayName", avatar_url AS "avatarUrl", is_verified AS "isVerified",
  is_celebrity AS "isCelebrity", follower_count AS "followerCount", following_count AS "followingCount"
FROM (SELECT * FROM by_id UNION ALL SELECT * FROM by_name) AS f
ORDER BY rank DESC, key DESC, id DESC LIMIT $6

-- name: countFound
-- $1 what ids or names start with; $2 the viewer's user id; $3 look at no more than this
-- Out: how many of them they may find, and at how many it looked
-- not null: count, looked
WITH q AS MATERIALIZED (
  SELECT l.prefix, l.prefix || chr(1114111) AS beyond, least(length(l.prefix) - 1, 64) AS shared,
    -- Null where there is no block to look for: most have none.
    (SELECT id FROM users u WHERE user_id = $2 AND (EXISTS (SELECT FROM blocks b WHERE b.user_id = u.id)
      OR EXISTS (SELECT FROM blocks b WHERE b.blocked_id = u.id))) AS me
  FROM (SELECT lower($1) COLLATE "C" AS prefix) AS l
)
SELECT count(*) FILTER (WHERE NOT is_blocked(counted.id, counted.me))::int AS count, count(*)::int AS looked FROM (
  SELECT found.id, q.me
  FROM q CROSS JOIN LATERAL (SELECT * FROM (
    SELECT id FROM users
    WHERE lower(user_id) COLLATE "C" >= q.prefix AND lower(user_id) COLLATE "C" < q.beyond
    ORDER BY lower(user_id) COLLATE "C", id LIMIT $3) AS one LIMIT 1001) AS found
  UNION ALL
  SELECT found.id, q.me
  FROM q CROSS JOIN LATERAL (SELECT generate_series(0, q.shared) AS shared LIMIT 65) AS s CROSS JOIN LATERAL (SELECT * FROM (
    SELECT id FROM users
    WHERE shared_prefix(lower(user_id), lower(display_name)) = s.shared
      AND lower(display_name) COLLATE "C" >= q.prefix AND lower(display_name) COLLATE "C" < q.beyond
    ORDER BY lower(display_name) COLLATE "C", id LIMIT $3) AS one LIMIT 1001) AS found
  LIMIT $3
) AS counted

-- name: foundByAnybody
-- $1 what ids or names start with. For the planner's estimate; never run.
SELECT FROM users
WHERE (lower(user_id) COLLATE "C" >= lower($1) COLLATE "C" AND lower(user_id) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C")
  OR (lower(display_name) COLLATE "C" >= lower($1) COLLATE "C" AND lower(display_name) COLLATE "C" < (lower($1) || chr(1114111)) COLLATE "C")
