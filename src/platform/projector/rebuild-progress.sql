-- name: noteStart
-- $1 projector. A rebuild that is made anew, after a crash, starts anew.
UPDATE projector_rebuilds SET started_at = clock_timestamp(), position = 0 WHERE projector_name = $1

-- name: noteProgress
-- $1 projector, $2 last position in the new tables
UPDATE projector_rebuilds SET position = $2 WHERE projector_name = $1
