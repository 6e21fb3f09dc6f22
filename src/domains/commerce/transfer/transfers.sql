-- The read model of transfers: what queries read, and what its projector writes.

-- name: readTransfer
-- $1 transfer
-- type: status = import('./transfer.js').TransferStatus
SELECT transfer_id AS "transferId", from_account_id AS "fromAccountId", to_account_id AS "toAccountId", owner_id AS "ownerId",
  amount, currency, description, status, reason, version
FROM transfers WHERE transfer_id = $1

-- name: writeTransfers
-- $1 transfers as JSON, each once, as its last event left it. When a transfer started stays what it was first.
-- Out: id and version of each that changed
INSERT INTO transfers AS t (transfer_id, from_account_id, to_account_id, owner_id, amount, currency, description,
  status, reason, started_at, version, last_event_position)
SELECT e.* FROM jsonb_to_recordset($1::jsonb) AS e ("transferId" text, "fromAccountId" text, "toAccountId" text,
  "ownerId" text, amount text, currency text, description text, status text, reason text, "startedAt" timestamptz,
  version int, "lastEventPosition" bigint)
ON CONFLICT (transfer_id) DO UPDATE SET
  status = excluded.status, reason = excluded.reason, version = excluded.version,
  last_event_position = excluded.last_event_position
WHERE t.last_event_position < excluded.last_event_position
RETURNING transfer_id AS "transferId", version
