-- name: readTransfer
-- $1 transfer
SELECT transfer_id, from_account_id, to_account_id, owner_id, amount, currency, description, status, reason, version
FROM transfers WHERE transfer_id = $1
