-- name: add
-- $1 user id, $2 friend's user id. Only for users whom they follow, blocked or not.
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
