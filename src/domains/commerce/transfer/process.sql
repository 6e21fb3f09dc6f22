-- name: takeUpOverdue
-- $1 at most, $2 milliseconds to look back, NULL for everything. Transfers that should be over by now, the longest overdue first; each is due again after 10 s, 20 s, 40 s
-- and so on, an hour at last.
-- By place, since the rows are locked: joined by key, a plan made while all rows of the table were dead would walk the table.
UPDATE pending_transfers p SET attempts = attempts + 1,
  due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM pending_transfers
  WHERE due_at < now() AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
  ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
))
RETURNING p.transfer_id

-- name: turnsOf
-- $1 transfers. Of those that are pending, the turn of each among all of its owner's: first the oldest of each source,
-- then the second of each source, and so on. Whose owner is not known counts by its source.
WITH named AS (
  SELECT DISTINCT owner_id, CASE WHEN owner_id = '' THEN from_account_id END AS source
  FROM pending_transfers WHERE transfer_id = ANY ($1::text[])
), placed AS (
  SELECT p.transfer_id, p.due_at, n.owner_id, n.source,
    row_number() OVER (PARTITION BY p.from_account_id ORDER BY p.due_at, p.transfer_id) AS in_source
  FROM named n JOIN pending_transfers p
    ON p.owner_id = n.owner_id AND p.from_account_id = coalesce(n.source, p.from_account_id)
), turns AS (
  SELECT transfer_id,
    row_number() OVER (PARTITION BY owner_id, source ORDER BY in_source, due_at, transfer_id)::int AS turn
  FROM placed
)
SELECT transfer_id AS "transferId", turn FROM turns WHERE transfer_id = ANY ($1::text[])
