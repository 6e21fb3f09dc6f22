-- name: pulledAuthors
-- All authors who ever published a post to be pulled. They stay in the set.
SELECT user_id FROM users WHERE has_pulled

-- name: countPulledAuthors
-- not null: authors
SELECT count(*) AS authors FROM users WHERE has_pulled
