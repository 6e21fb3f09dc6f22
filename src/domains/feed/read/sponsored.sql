-- name: active
-- $1 at this time. Those that run, the ones that began first before the others.
SELECT post_id FROM sponsored_posts
WHERE starts_at <= $1 AND (ends_at IS NULL OR ends_at > $1)
ORDER BY starts_at, post_id LIMIT 100

-- name: find
-- $1 post id, $2 at this time. When a post runs, unless that is over.
SELECT starts_at AS "startsAt", ends_at AS "endsAt" FROM sponsored_posts
WHERE post_id = $1 AND (ends_at IS NULL OR ends_at > $2)

-- name: sponsor
-- $1 post id, $2 from, $3 until (or null: until it is unsponsored), $4 the admin
INSERT INTO sponsored_posts (post_id, starts_at, ends_at, created_by) VALUES ($1, $2, $3, $4)
ON CONFLICT (post_id) DO UPDATE SET starts_at = $2, ends_at = $3, created_by = $4

-- name: unsponsor
-- $1 post id
DELETE FROM sponsored_posts WHERE post_id = $1
