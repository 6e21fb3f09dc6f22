-- name: setVerified
-- $1 user id, $2 whether they are verified. Nothing where there is no such user.
UPDATE users SET is_verified = $2 WHERE user_id = $1
RETURNING id, user_id, display_name, avatar_url, is_verified, is_celebrity, follower_count, following_count
