-- name: claim
-- In: $1 users, $2 channels, $3 priorities, $4 lease tokens, $5 milliseconds of the lease, $6 sequences below which nothing
--     waits; see claim_mailboxes
SELECT * FROM claim_mailboxes($1, $2, $3, $4, $5, $6);

-- name: apply
-- In: $1 a JSON array of transitions; see apply_transitions
SELECT * FROM apply_transitions($1);
