-- name: turnsOf
-- In:  $1 transfers
-- Out: those that are pending, and the turn that each had among its owner's when it began
-- not null: transferId, turn
SELECT payload ->> 'transferId' AS "transferId", (payload ->> 'turn')::int AS turn
FROM outbox WHERE key = ANY (ARRAY(SELECT 'commerce.transfer:' || transfer_id FROM unnest($1::text[]) AS transfer_id))
