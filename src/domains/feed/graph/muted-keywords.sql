-- name: keywordsOf
-- $1 user id
-- not null: keywords
SELECT muted_keywords AS keywords FROM feed_settings WHERE user_id = $1
