-- name: add
-- $1 user id, $2 friend's user id. Only whom he follows, whether a block stands between them now or not.
INSERT INTO close_friends (user_id, friend_id)
SELECT f.follower_id, f.followee_id
FROM follows f JOIN users me ON me.id = f.follower_id JOIN users friend ON friend.id = f.followee_id
WHERE me.user_id = $1 AND friend.user_id = $2
ON CONFLICT (user_id, friend_id) DO UPDATE SET friend_id = excluded.friend_id
RETURNING friend_id

-- name: remove
-- $1 user id, $2 friend's user id
DELETE FROM close_friends
WHERE user_id = (SELECT id FROM users WHERE user_id = $1) AND friend_id = (SELECT id FROM users WHERE user_id = $2)

-- name: listeners
-- $1 author's user id, $2 after this surrogate id, $3 at most. Who wants to hear of the author's posts and still follows
-- him, without those between whom and him a block stands and those who mute him.
SELECT c.user_id AS id, u.user_id
FROM users author
JOIN close_friends c ON c.friend_id = author.id
JOIN follows f ON f.follower_id = c.user_id AND f.followee_id = author.id
JOIN users u ON u.id = c.user_id
WHERE author.user_id = $1 AND c.user_id > $2
  AND NOT is_blocked(c.user_id, author.id)
  AND NOT EXISTS (SELECT FROM mutes m WHERE m.user_id = c.user_id AND m.muted_id = author.id)
ORDER BY c.user_id LIMIT $3
