-- name: readAccount
-- $1 account, $2 how many transactions. The balance and the transactions are of one version.
SELECT a.account_id, a.owner_id, a.status, a.balance::text, a.currency, a.version, recent.transactions
FROM accounts a, LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'desc', t.description, 'amount', t.amount::text)
    ORDER BY t.version DESC), '[]') AS transactions
  FROM (SELECT * FROM account_transactions WHERE account_id = a.account_id ORDER BY version DESC LIMIT $2) t
) recent
WHERE a.account_id = $1

-- name: readAccountsAfter
-- $1 owner, $2 after this account id (NULL: from the first), $3 at most, $4 how many transactions
SELECT a.account_id, a.owner_id, a.status, a.balance::text, a.currency, a.version, recent.transactions
FROM (
  SELECT * FROM accounts WHERE owner_id = $1 AND account_id > coalesce($2::text, '')
  ORDER BY account_id LIMIT $3
) a, LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'desc', t.description, 'amount', t.amount::text)
    ORDER BY t.version DESC), '[]') AS transactions
  FROM (SELECT * FROM account_transactions WHERE account_id = a.account_id ORDER BY version DESC LIMIT $4) t
) recent
ORDER BY a.account_id

-- name: readAccountsBefore
-- $1 owner, $2 before this account id (NULL: from the last), $3 at most, $4 how many transactions; nearest first
SELECT a.account_id, a.owner_id, a.status, a.balance::text, a.currency, a.version, recent.transactions
FROM (
  SELECT * FROM accounts
  WHERE owner_id = $1 AND account_id < coalesce($2::text, (SELECT max(account_id) || 'z' FROM accounts))
  ORDER BY account_id DESC LIMIT $3
) a, LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'desc', t.description, 'amount', t.amount::text)
    ORDER BY t.version DESC), '[]') AS transactions
  FROM (SELECT * FROM account_transactions WHERE account_id = a.account_id ORDER BY version DESC LIMIT $4) t
) recent
ORDER BY a.account_id DESC
