-- name: takeUpOverdue
-- $1 at most. Transfers that should be over by now, the longest overdue first; each is due again after 10 s, 20 s, 40 s
-- and so on, an hour at last.
UPDATE pending_transfers p SET attempts = attempts + 1,
  due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
FROM (
  SELECT transfer_id FROM pending_transfers WHERE due_at < now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
) overdue
WHERE p.transfer_id = overdue.transfer_id
RETURNING p.transfer_id
