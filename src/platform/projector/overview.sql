-- name: listProjectors
-- One row a projector; log, checkpoints, failures and rebuilds as of one moment.
-- not null: state, lastPosition, headPosition, lagEvents, lagMs, updatedAt
-- type: state = (typeof import('./overview.js').projectorStates)[number]
SELECT p.projector_name AS name,
  CASE
    WHEN f.projector_name IS NOT NULL THEN 'STALLED'
    WHEN r.projector_name IS NOT NULL AND r.finished_at IS NULL THEN 'REBUILDING'
    WHEN waiting.ms > $1 THEN 'CATCHING_UP'
    ELSE 'LIVE'
  END AS state,
  coalesce(c.position, 0) AS "lastPosition",
  head.position AS "headPosition",
  head.position - coalesce(c.position, 0) AS "lagEvents",
  coalesce(waiting.ms, 0) AS "lagMs",
  CASE
    WHEN f.projector_name IS NOT NULL THEN format('event %s cannot be applied: %s', f.global_position, f.error)
    WHEN r.error IS NOT NULL THEN 'rebuild: ' || r.error
  END AS "lastError",
  coalesce(c.moved_at, now()) AS "updatedAt",
  CASE WHEN r.error IS NULL THEN r.finished_at END AS "rebuiltAt",
  p.rebuildable,
  CASE WHEN r.finished_at IS NULL THEN r.requested_at END AS "rebuildRequestedAt",
  CASE WHEN r.finished_at IS NULL THEN r.requested_by END AS "rebuildRequestedBy",
  CASE WHEN r.finished_at IS NULL THEN r.started_at END AS "rebuildStartedAt",
  CASE WHEN r.finished_at IS NULL THEN r.position END AS "rebuildPosition"
FROM projectors p
LEFT JOIN projector_positions c ON c.projector_name = p.projector_name AND c.position = projector_position(p.projector_name)
CROSS JOIN (SELECT coalesce(max(global_position), 0) AS position FROM events) head
LEFT JOIN projector_failures f ON f.projector_name = p.projector_name
LEFT JOIN projector_rebuilds r ON r.projector_name = p.projector_name
LEFT JOIN LATERAL (
  -- Positions have no gaps: the next one is the oldest that waits. In the archive, it is older than the first in Postgres.
  SELECT greatest(0, extract(epoch FROM clock_timestamp() - e.created_at) * 1000)::float8 AS ms
  FROM events e WHERE e.global_position = greatest(coalesce(c.position, 0) + 1, (SELECT min(global_position) FROM events))
) waiting ON true
ORDER BY p.projector_name

-- name: requestRebuild
-- $1 projector, $2 who asks. Nothing where one is wanted or under way already.
INSERT INTO projector_rebuilds AS r (projector_name, requested_by) VALUES ($1, $2)
ON CONFLICT (projector_name) DO UPDATE
SET requested_by = $2, requested_at = now(), started_at = NULL, position = 0, finished_at = NULL, error = NULL
WHERE r.finished_at IS NOT NULL

-- name: forgetProjector
-- $1 projector. Nothing while a process holds its lock (takeLock in session.ts): that one would go on unseen. The checkpoint stays, so that a
-- projector that comes back goes on from there.
WITH forgotten AS (
  DELETE FROM projectors
  WHERE projector_name = $1 AND (SELECT pg_try_advisory_xact_lock(hashtextextended('projector:' || $1, 0)))
  RETURNING projector_name
), failures AS (
  DELETE FROM projector_failures WHERE projector_name IN (SELECT projector_name FROM forgotten)
), rebuilds AS (
  DELETE FROM projector_rebuilds WHERE projector_name IN (SELECT projector_name FROM forgotten)
)
SELECT projector_name AS name FROM forgotten
