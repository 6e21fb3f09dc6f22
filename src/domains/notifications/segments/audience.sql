-- part: audience
u.user_id, u.created_at, u.last_seen_at,
    (SELECT c.follower_count FROM counted_users c WHERE c.id = u.id) AS follower_count,
    (SELECT s.language FROM user_notification_settings s WHERE s.user_id = u.user_id) AS language,
    coalesce((SELECT s.timezone FROM user_notification_settings s WHERE s.user_id = u.user_id), 'UTC') AS timezone,
    (SELECT a.attributes FROM user_attributes a WHERE a.user_id = u.user_id) AS attributes

-- What a segment's condition is asked of: a row `u` of these columns. LIMIT and OFFSET 0 keep each row's look-ups for that row, by
-- its keys, and leave out those that the condition does not ask for. In each statement the condition takes the place of its mark,
-- and its parameters come after the statement's own.

-- name: page
-- In: $1 the id to go on after, $2 at most so many are looked at, $3 created before
-- Out: those who match, the last that was looked at, and how many were
-- not null: userIds, looked
SELECT coalesce(array_agg(u.user_id ORDER BY u.user_id) FILTER (WHERE u.created_at < $3 AND (true /* condition */)), '{}')
         AS "userIds",
       max(u.user_id) AS last, count(*)::int AS looked
FROM (SELECT {audience} FROM users u WHERE u.user_id > $1 ORDER BY u.user_id LIMIT $2) AS u;

-- name: narrowed
-- The same for those whom an index finds, if they are fewer than $1; the table and its condition take the place of their marks as well.
-- In: $1 as many are too many, $2 created before, $3 the id to go on after
-- Out: those who match, none where there are too many; and how many were found, $1 at most
-- not null: userIds, found
WITH found AS MATERIALIZED (SELECT i.user_id FROM user_attributes i WHERE true /* narrowing */ LIMIT $1)
SELECT coalesce(array_agg(u.user_id ORDER BY u.user_id) FILTER (WHERE u.created_at < $2 AND u.user_id > $3 AND (true /* condition */)), '{}')
         AS "userIds",
       (SELECT count(*) FROM found)::int AS found
FROM found CROSS JOIN LATERAL (SELECT {audience} FROM users u WHERE u.user_id = found.user_id OFFSET 0) AS u
WHERE (SELECT count(*) FROM found) < $1;

-- name: boundStatements
-- Each statement of the transaction ends after so long.
-- In: $1 as `statement_timeout` is written
SELECT set_config('statement_timeout', $1, true);

-- name: size
-- How large the table of users is, in blocks, and what was known of it when it was last looked through (-1, or 0 blocks: nothing).
-- not null: blocks, countedRows, countedBlocks
SELECT pg_relation_size(oid) / current_setting('block_size')::bigint AS blocks, reltuples::float8 AS "countedRows",
       relpages AS "countedBlocks"
FROM pg_class WHERE oid = 'users'::regclass;

-- name: sampled
-- In: $1 how many of a hundred blocks of users are looked at, $2 at most so many users are named
-- Out: how many users were looked at, how many of them match, and some of these, in an order that says nothing of them
-- not null: looked, matching, sample
SELECT count(*)::int AS looked, count(*) FILTER (WHERE m.matches)::int AS matching,
       coalesce((array_agg(m.user_id ORDER BY hashtext(m.user_id)) FILTER (WHERE m.matches))[1:$2], '{}') AS sample
FROM (SELECT u.user_id, (true /* condition */) AS matches
      FROM (SELECT {audience} FROM users u TABLESAMPLE SYSTEM ($1) OFFSET 0) AS u OFFSET 0) AS m;
