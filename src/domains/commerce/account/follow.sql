-- name: accountVersion
-- $1 account. Nothing while the read model does not have it.
SELECT version FROM accounts WHERE account_id = $1

-- name: accountAt
-- $1 account, $2 a version that it has had, $3 how many transactions
-- Out: the account as it was at that version; its status and version are today's.
SELECT a.account_id, a.owner_id, a.status, a.currency, a.version, recent.transactions,
  (a.balance - (
    SELECT coalesce(sum(t.amount), 0) FROM account_transactions t WHERE t.account_id = a.account_id AND t.version > $2
  ))::text AS balance
FROM accounts a, LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'desc', t.description, 'change', t.amount::text)
    ORDER BY t.version DESC), '[]') AS transactions
  FROM (
    SELECT * FROM account_transactions WHERE account_id = a.account_id AND version <= $2 ORDER BY version DESC LIMIT $3
  ) t
) recent
WHERE a.account_id = $1
