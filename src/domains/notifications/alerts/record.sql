-- name: lockChanges
-- Until the transaction ends nobody else numbers a change: numbers rise in commit order.
SELECT pg_advisory_xact_lock(7246021907);

-- name: raise
-- In: $1 id, $2 name, $3 scope, $4 severity, $5 message, $6 value, $7 threshold, $8 now
-- Out: nothing where the like is active already
INSERT INTO alerts (alert_id, name, scope, severity, message, value, threshold, raised_at, change)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT coalesce(max(change), 0) + 1 FROM alerts))
ON CONFLICT (name, scope) WHERE resolved_at IS NULL DO NOTHING
RETURNING alert_id AS "alertId";

-- name: resolve
-- In: $1 alert, $2 now
-- Out: nothing where it was resolved before
UPDATE alerts SET resolved_at = $2, change = (SELECT max(change) + 1 FROM alerts)
WHERE alert_id = $1 AND resolved_at IS NULL
RETURNING alert_id AS "alertId";
