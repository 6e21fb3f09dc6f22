-- name: activeAlerts
-- The newest first.
-- type: severity = import('./alert.js').AlertSeverity
SELECT alert_id AS "alertId", name, scope, severity, message, value, threshold, raised_at AS "raisedAt",
       resolved_at AS "resolvedAt", change
FROM alerts
WHERE resolved_at IS NULL
ORDER BY raised_at DESC, alert_id DESC;

-- name: resolvedAlerts
-- The newest first.
-- In: $1 at most so many
-- type: severity = import('./alert.js').AlertSeverity
SELECT alert_id AS "alertId", name, scope, severity, message, value, threshold, raised_at AS "raisedAt",
       resolved_at AS "resolvedAt", change
FROM alerts
WHERE resolved_at IS NOT NULL
ORDER BY raised_at DESC, alert_id DESC
LIMIT $1;

-- name: alertsById
-- In: $1 alerts
-- type: severity = import('./alert.js').AlertSeverity
SELECT alert_id AS "alertId", name, scope, severity, message, value, threshold, raised_at AS "raisedAt",
       resolved_at AS "resolvedAt", change
FROM alerts
WHERE alert_id = ANY ($1::uuid[]);

-- name: alertsChangedAfter
-- Each alert as it is now, at the place of its last change.
-- In: $1 a change to go on after, $2 at most so many
-- type: severity = import('./alert.js').AlertSeverity
SELECT alert_id AS "alertId", name, scope, severity, message, value, threshold, raised_at AS "raisedAt",
       resolved_at AS "resolvedAt", change
FROM alerts
WHERE change > $1
ORDER BY change
LIMIT $2;

-- name: newestChange
-- not null: change
SELECT coalesce(max(change), 0) AS change FROM alerts;
