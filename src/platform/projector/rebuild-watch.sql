-- name: readRequest
-- $1 projector. One row while a rebuild is wanted or under way.
SELECT FROM projector_rebuilds WHERE projector_name = $1 AND finished_at IS NULL
