-- name: find
-- $1 user ids
-- not null: created_at, post_id
SELECT user_id, read_marker_at AS created_at, read_marker_post AS post_id FROM feed_settings
WHERE user_id = ANY ($1) AND read_marker_at IS NOT NULL

-- name: mark
-- $1 user id, $2, $3 place. Moves the marker up, never down.
INSERT INTO feed_settings (user_id, read_marker_at, read_marker_post) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET read_marker_at = $2, read_marker_post = $3
WHERE feed_settings.read_marker_at IS NULL
  OR (feed_settings.read_marker_at, feed_settings.read_marker_post) < ($2::timestamptz, $3::uuid)

-- name: countAbove
-- $1 reader's user id, $2, $3 above this (time, id), $4 count no further: what a feed that is not cached would have.
-- not null: count
SELECT count(*)::int AS count FROM (
  SELECT FROM (
    SELECT followee_id AS id, false AS own FROM follows
    WHERE follower_id = (SELECT id FROM users WHERE user_id = $1)
    UNION ALL SELECT id, true FROM users WHERE user_id = $1
  ) a
  CROSS JOIN LATERAL (
    SELECT FROM posts
    WHERE author_id = a.id AND deleted_at IS NULL AND (a.own OR distribution = 'push' AND visibility <> 'private')
      AND (created_at, post_id) > ($2::timestamptz, $3::uuid)
    LIMIT $4
  ) p
  LIMIT $4
) counted
