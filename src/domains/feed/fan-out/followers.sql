-- name: followers
-- $1 author's surrogate id, $2 after this surrogate id, $3 at most, $4 seen since then: active. One row, since ten thousand rows
-- cost more to transfer than to find.
-- not null: last, userIds, isActive
-- type: userIds = readonly string[]
-- type: isActive = readonly boolean[]
SELECT coalesce(max(follower_id), $2) AS last, coalesce(json_agg(user_id), '[]') AS "userIds", coalesce(json_agg(active), '[]') AS "isActive"
FROM (
  SELECT f.follower_id, u.user_id, coalesce(u.last_seen_at > $4, false) AS active
  FROM follows f JOIN users u ON u.id = f.follower_id
  WHERE f.followee_id = $1 AND f.follower_id > $2
  ORDER BY f.follower_id LIMIT $3
) page

-- name: followersAmong
-- $1 author's surrogate id, $2 after this surrogate id, $3 user ids. Those of them who follow the author.
SELECT u.user_id FROM users u JOIN follows f ON f.followee_id = $1 AND f.follower_id = u.id
WHERE u.user_id = ANY ($3::text[]) AND u.id > $2
