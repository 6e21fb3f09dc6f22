-- name: setVerified
-- $1 user id, $2 whether they are verified. Nothing where there is no such user.
UPDATE users SET is_verified = $2 WHERE user_id = $1
