-- name: relationsOf
-- $1 user ids. Nothing for a user who does not exist. Each other user is looked up by itself (OFFSET 0): by what Postgres takes for
-- the average, it may read all users instead.
-- not null: follows, muted, blocked, keywords
SELECT
  me.user_id AS "userId",
  ARRAY(
    SELECT o.user_id FROM follows f CROSS JOIN LATERAL (SELECT user_id FROM users WHERE id = f.followee_id OFFSET 0) o
    WHERE f.follower_id = me.id
  ) AS follows,
  ARRAY(
    SELECT o.user_id FROM mutes m CROSS JOIN LATERAL (SELECT user_id FROM users WHERE id = m.muted_id OFFSET 0) o
    WHERE m.user_id = me.id
  ) AS muted,
  ARRAY(
    SELECT o.user_id FROM (
      SELECT blocked_id AS id FROM blocks WHERE user_id = me.id
      UNION SELECT user_id FROM blocks WHERE blocked_id = me.id
    ) b CROSS JOIN LATERAL (SELECT user_id FROM users WHERE id = b.id OFFSET 0) o
  ) AS blocked,
  coalesce((SELECT muted_keywords FROM feed_settings WHERE user_id = me.user_id), '{}') AS keywords
FROM users me WHERE me.user_id = ANY ($1::text[])

-- name: pulledFollows
-- $1 user ids. The users whom each of them follows who ever published posts to be pulled.
SELECT me.user_id AS "userId", o.user_id AS "authorId"
FROM users me JOIN follows f ON f.follower_id = me.id JOIN users o ON o.id = f.followee_id
WHERE me.user_id = ANY ($1::text[]) AND o.has_pulled
