-- name: oldestDue
-- In: $1 QUEUED, RETRYING or SCHEDULED, $2 priority, $3 none is due before this instant any more
-- Out: when the oldest is due, or has been since, also where somebody holds it; where there is none, now: by the clock that nobody's
--      is ahead of for long
SELECT coalesce(min(due_at), now()) AS "dueAt" FROM pending_deliveries WHERE status = $1 AND priority = $2 AND due_at >= $3;
