-- name: readByIndex
-- For the rest of the transaction: a plan that is made while a table is small is kept, and must not read all of it later.
SELECT set_config('enable_seqscan', 'off', true)
