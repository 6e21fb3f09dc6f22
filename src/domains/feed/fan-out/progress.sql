-- name: progress
-- $1 post id, $2 followers up to this surrogate id are done, $3 more followers, $4 more pushed. Counts nothing twice.
UPDATE fanouts SET after_follower = $2, followers = followers + $3, pushed = pushed + $4, touched_at = now()
WHERE post_id = $1 AND after_follower < $2
