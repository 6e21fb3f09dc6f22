-- name: oldestDue
-- In: $1 QUEUED, RETRYING or SCHEDULED, $2 priority, $3 none is due before this instant any more
-- Out: since when the oldest has been due, also where somebody holds it; where none is due yet, now, by the database's clock: what is
--      due later hides nothing that comes before it
-- not null: dueAt
SELECT least(min(due_at), now()) AS "dueAt" FROM pending_deliveries WHERE status = $1 AND priority = $2 AND due_at >= $3;
