-- name: claim
-- $1 media id, $2 seconds without a heartbeat after which a first run is dead; later ones get more time each
-- Out: the row, for the one run that got it. Its `attempts` is that run's fencing token: the next one gets another.
-- type: kind = import('../types.js').Media['kind']
-- type: failure_reason = import('./derive.js').FailureReason
UPDATE media SET state = 'processing', attempts = attempts + 1, touched_at = now()
WHERE media_id = $1
  AND (state = 'uploaded' OR (state = 'processing' AND touched_at < now() - make_interval(secs => $2 * attempts * attempts)))
RETURNING media_id, owner_id, kind, content_type, storage_key, failure_reason, attempts

-- name: touch
-- $1 media id, $2 attempts. A heartbeat; no row where another run took over.
UPDATE media SET touched_at = now() WHERE media_id = $1 AND attempts = $2 AND state = 'processing'

-- name: release
-- $1 media id, $2 attempts. A run that is stopped releases its claim as if it had not begun.
UPDATE media SET state = 'uploaded', attempts = attempts - 1, touched_at = now()
WHERE media_id = $1 AND attempts = $2 AND state = 'processing'

-- name: settle
-- $1 media id, $2 attempts, $3 key of what is served or null, $4 width, $5 height, $6 renditions, $7 failure reason
-- The outcome. A run that takes over after this only appends the event.
UPDATE media SET storage_key = coalesce($3, storage_key), width = $4, height = $5, renditions = $6, failure_reason = $7
WHERE media_id = $1 AND attempts = $2 AND state = 'processing'
