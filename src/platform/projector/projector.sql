-- name: noticeDeadPeer
-- Lets the server see within about 15 s that this session's client is gone without a word, and free its lock.
SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '3', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '15000', false)

-- name: tryLock
-- $1 projector. The lock lives as long as its connection: when the holder dies, another process takes over.
SELECT pg_try_advisory_lock(hashtextextended('projector:' || $1, 0)) AS held

-- name: readCheckpoint
-- $1 projector. Makes the row on first sight.
WITH made AS (
  INSERT INTO projector_checkpoints (projector_name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING last_position
)
SELECT last_position FROM made
UNION ALL SELECT last_position FROM projector_checkpoints WHERE projector_name = $1
LIMIT 1

-- name: moveCheckpoint
-- $1 projector, $2 from, $3 to. No row: somebody else moved it, so this holder must stop.
UPDATE projector_checkpoints SET last_position = $3, updated_at = now()
WHERE projector_name = $1 AND last_position = $2 RETURNING last_position

-- name: recordFailure
-- $1 projector, $2 global position, $3 error
INSERT INTO projector_failures (projector_name, global_position, error) VALUES ($1, $2, $3)
ON CONFLICT (projector_name) DO UPDATE SET
  attempts = CASE WHEN projector_failures.global_position = $2 THEN projector_failures.attempts + 1 ELSE 1 END,
  global_position = $2, error = $3, failed_at = now()

-- name: clearFailure
-- $1 projector
DELETE FROM projector_failures WHERE projector_name = $1
