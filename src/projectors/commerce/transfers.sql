-- name: writeTransfers
-- $1 transfers as JSON, each once, as its last event left it. When a transfer started stays what it was first.
-- Out: transfer_id and version of each that changed
INSERT INTO transfers AS t (transfer_id, from_account_id, to_account_id, owner_id, amount, currency, description,
  status, reason, started_at, version, last_event_position)
SELECT transfer_id, from_account_id, to_account_id, owner_id, amount, currency, description, status, reason,
  started_at, version, last_event_position
FROM jsonb_to_recordset($1::jsonb) AS e (transfer_id text, from_account_id text, to_account_id text, owner_id text,
  amount text, currency text, description text, status text, reason text, started_at timestamptz, version int,
  last_event_position bigint)
ON CONFLICT (transfer_id) DO UPDATE SET
  status = excluded.status, reason = excluded.reason, version = excluded.version,
  last_event_position = excluded.last_event_position
WHERE t.last_event_position < excluded.last_event_position
RETURNING transfer_id, version
