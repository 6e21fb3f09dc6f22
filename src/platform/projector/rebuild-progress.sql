-- name: noteProgress
-- $1 projector, $2 last position in the new tables
UPDATE projector_rebuilds SET position = $2 WHERE projector_name = $1
