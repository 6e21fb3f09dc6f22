-- name: foldAccounts
-- One batch of account events into accounts and account_transactions, each event once.
--
-- Arrays of equal length, in log order: $1 global position, $2 account, $3 stream position, $4 created_at,
--   $5 owner and $6 currency (AccountCreated only, else NULL), $7 closes, $8 change of the balance in minor units
--   (NULL: none), $9 description
-- Out: id and version of each account that changed
WITH incoming AS (
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::boolean[],
    $8::bigint[], $9::text[])
    AS e (position, account_id, version, date, owner_id, currency, closes, change, description)
), fresh AS (
  SELECT e.position, e.account_id, e.version, e.date, e.closes, e.change, e.description,
    coalesce(e.owner_id, a.owner_id) AS owner_id, coalesce(e.currency, a.currency) AS currency
  FROM incoming e LEFT JOIN accounts a USING (account_id)
  WHERE e.position > coalesce(a.last_event_position, 0)
), folded AS (
  -- An account that nothing created has no owner: the NULL stops the projector instead of inventing one.
  INSERT INTO accounts AS a (account_id, owner_id, status, currency, balance, version, last_event_position)
  SELECT account_id, max(owner_id), CASE WHEN bool_or(closes) THEN 'CLOSED' ELSE 'ACTIVE' END, max(currency),
    coalesce(sum(change), 0), max(version), max(position)
  FROM fresh GROUP BY account_id
  ON CONFLICT (account_id) DO UPDATE SET
    status = CASE WHEN excluded.status = 'CLOSED' THEN 'CLOSED' ELSE a.status END,
    balance = a.balance + excluded.balance,
    version = excluded.version,
    last_event_position = excluded.last_event_position
  RETURNING account_id, version
), moved AS (
  INSERT INTO account_transactions (account_id, version, date, description, amount)
  SELECT account_id, version, date, description, change FROM fresh WHERE change IS NOT NULL
)
SELECT account_id AS "accountId", version FROM folded
