-- name: pulledAuthors
-- Everybody who ever published a post to be pulled. Nobody ever leaves.
SELECT user_id FROM users WHERE has_pulled

-- name: countPulledAuthors
SELECT count(*) AS authors FROM users WHERE has_pulled
