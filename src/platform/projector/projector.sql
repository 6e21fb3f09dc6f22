-- name: readCheckpoint
-- $1 projector, $2 whether its read model can be rebuilt. Makes the row on first sight.
INSERT INTO projector_checkpoints (projector_name, rebuildable) VALUES ($1, $2)
ON CONFLICT (projector_name) DO UPDATE SET rebuildable = $2
RETURNING last_position

-- name: moveCheckpoint
-- $1 projector, $2 from, $3 to. No row: somebody else moved it, so this holder must stop.
UPDATE projector_checkpoints SET last_position = $3, updated_at = now()
WHERE projector_name = $1 AND last_position = $2 RETURNING last_position

-- name: confirmCheckpoint
-- $1 projector, $2 where this holder left it. No row: somebody else moved it, so this holder must stop.
SELECT FROM projector_checkpoints WHERE projector_name = $1 AND last_position = $2

-- name: recordFailure
-- $1 projector, $2 global position, $3 error
INSERT INTO projector_failures (projector_name, global_position, error) VALUES ($1, $2, $3)
ON CONFLICT (projector_name) DO UPDATE SET
  attempts = CASE WHEN projector_failures.global_position = $2 THEN projector_failures.attempts + 1 ELSE 1 END,
  global_position = $2, error = $3, failed_at = now()

-- name: clearFailure
-- $1 projector
DELETE FROM projector_failures WHERE projector_name = $1
