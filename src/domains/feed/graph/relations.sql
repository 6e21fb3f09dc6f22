-- name: relationsOf
-- $1 user id. Nothing for a user who does not exist.
SELECT
  ARRAY(SELECT o.user_id FROM follows f JOIN users o ON o.id = f.followee_id WHERE f.follower_id = me.id) AS follows,
  ARRAY(SELECT o.user_id FROM mutes m JOIN users o ON o.id = m.muted_id WHERE m.user_id = me.id) AS muted,
  ARRAY(
    SELECT o.user_id FROM (
      SELECT blocked_id AS id FROM blocks WHERE user_id = me.id
      UNION SELECT user_id FROM blocks WHERE blocked_id = me.id
    ) b JOIN users o ON o.id = b.id
  ) AS blocked,
  coalesce((SELECT muted_keywords FROM feed_settings WHERE user_id = me.user_id), '{}') AS keywords
FROM users me WHERE me.user_id = $1

-- name: pulledFollows
-- $1 user id. Whom he follows that ever published posts to be pulled.
SELECT o.user_id
FROM follows f JOIN users o ON o.id = f.followee_id
WHERE f.follower_id = (SELECT id FROM users WHERE user_id = $1) AND o.has_pulled
