-- name: readCheckpoint
-- $1 projector. How far the live read model is.
-- not null: position
SELECT coalesce(projector_position($1), 0) AS position

-- name: holdCheckpoint
-- $1 projector. The same; and until the transaction ends the live read model stays there, since each of its batches
-- begins with this row. The newest version of it stands first.
SELECT position FROM projector_positions WHERE projector_name = $1 ORDER BY position DESC LIMIT 1 FOR UPDATE

-- name: finish
-- $1 projector, $2 last position in the new tables, $3 why it came to nothing, or NULL
UPDATE projector_rebuilds SET position = $2, error = $3, finished_at = clock_timestamp() WHERE projector_name = $1
