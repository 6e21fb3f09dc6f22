-- name: register
-- $1 projector, $2 whether its read model can be rebuilt. Makes what is missing; only the holder of the projector's lock does.
WITH known AS (
  INSERT INTO projectors (projector_name, rebuildable) VALUES ($1, $2)
  ON CONFLICT (projector_name) DO UPDATE SET rebuildable = $2 WHERE projectors.rebuildable <> $2
)
INSERT INTO projector_positions (projector_name, position) SELECT $1, 0 WHERE projector_position($1) IS NULL

-- name: readCheckpoint
-- $1 projector
-- not null: position
SELECT coalesce(projector_position($1), 0) AS position

-- name: moveCheckpoint
-- $1 projector, $2 from, $3 to. No row: somebody else moved it, so this holder must stop.
UPDATE projector_positions SET position = $3, moved_at = now()
WHERE projector_name = $1 AND position = $2 RETURNING position

-- name: confirmCheckpoint
-- $1 projector, $2 where this holder left it. No row: somebody else moved it, so this holder must stop.
SELECT FROM projector_positions WHERE projector_name = $1 AND position = $2

-- name: recordFailure
-- $1 projector, $2 global position, $3 error
INSERT INTO projector_failures (projector_name, global_position, error) VALUES ($1, $2, $3)
ON CONFLICT (projector_name) DO UPDATE SET
  attempts = CASE WHEN projector_failures.global_position = $2 THEN projector_failures.attempts + 1 ELSE 1 END,
  global_position = $2, error = $3, failed_at = now()

-- name: clearFailure
-- $1 projector
DELETE FROM projector_failures WHERE projector_name = $1
