-- Accounts with their newest transactions, both of one version. Amounts in minor units, as text.

-- part: account
-- type: status = 'ACTIVE' | 'CLOSED'
-- not null: balance, recent
-- type: recent = readonly { date: string; desc: string; change: string }[]
a.account_id AS "accountId", a.owner_id AS "ownerId", a.status, a.currency, a.version, recent

-- part: recent
LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'desc', t.description, 'change', t.amount::text)
    ORDER BY t.version DESC), '[]') AS recent
  FROM (SELECT * FROM account_transactions WHERE account_id = a.account_id ORDER BY version DESC LIMIT $1) t
) recent_transactions

-- name: readAccount
-- $1 how many transactions, $2 account
SELECT {account}, a.balance::text AS balance FROM accounts a, {recent} WHERE a.account_id = $2

-- name: pageAccounts
-- $1 how many transactions, $2 at most, $3 after this account id (NULL: from the first)
SELECT {account}, a.balance::text AS balance
FROM (
  SELECT * FROM accounts WHERE account_id > coalesce($3::text, '') ORDER BY account_id LIMIT $2
) a, {recent}
ORDER BY a.account_id

-- name: pageAccountsBack
-- As pageAccounts, before this account id (NULL: from the last); nearest first
SELECT {account}, a.balance::text AS balance
FROM (
  SELECT * FROM accounts
  WHERE account_id < coalesce($3::text, (SELECT max(account_id) || 'z' FROM accounts))
  ORDER BY account_id DESC LIMIT $2
) a, {recent}
ORDER BY a.account_id DESC

-- name: pageOwnAccounts
-- As pageAccounts, $4 owner
SELECT {account}, a.balance::text AS balance
FROM (
  SELECT * FROM accounts WHERE owner_id = $4 AND account_id > coalesce($3::text, '') ORDER BY account_id LIMIT $2
) a, {recent}
ORDER BY a.account_id

-- name: pageOwnAccountsBack
-- As pageAccountsBack, $4 owner
SELECT {account}, a.balance::text AS balance
FROM (
  SELECT * FROM accounts
  WHERE owner_id = $4 AND account_id < coalesce($3::text, (SELECT max(account_id) || 'z' FROM accounts))
  ORDER BY account_id DESC LIMIT $2
) a, {recent}
ORDER BY a.account_id DESC

-- name: readAccountVersion
-- $1 account. Nothing while the read model does not have it.
SELECT version FROM accounts WHERE account_id = $1

-- name: readAccountAt
-- $1 how many transactions, $2 account, $3 a version that it has had
-- Out: the account as it was at that version; its status and version are today's.
SELECT {account}, (a.balance - (
    SELECT coalesce(sum(t.amount), 0) FROM account_transactions t WHERE t.account_id = a.account_id AND t.version > $3
  ))::text AS balance
FROM accounts a, LATERAL (
  SELECT coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'desc', t.description, 'change', t.amount::text)
    ORDER BY t.version DESC), '[]') AS recent
  FROM (
    SELECT * FROM account_transactions WHERE account_id = a.account_id AND version <= $3 ORDER BY version DESC LIMIT $1
  ) t
) recent_transactions
WHERE a.account_id = $2
