-- name: claim
-- In: $1 users, $2 channels, $3 priorities, $4 lease tokens, $5 milliseconds of the lease; see claim_deliveries
SELECT * FROM claim_deliveries($1, $2, $3, $4, $5);

-- name: apply
-- In: $1 a JSON array of transitions; see apply_transitions
SELECT * FROM apply_transitions($1);
