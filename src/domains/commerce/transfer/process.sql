-- name: findAbandoned
-- $1 seconds since they began, by the database's clock, $2 at most. The oldest transfers that are not over.
SELECT transfer_id FROM pending_transfers
WHERE started_at < now() - make_interval(secs => $1)
ORDER BY started_at LIMIT $2
