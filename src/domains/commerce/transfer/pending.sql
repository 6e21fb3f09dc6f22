-- name: turnsOf
-- $1 transfers. Of those that are pending, the turn of each among all of its owner's: first the oldest of each source,
-- then the second of each source, and so on. Whose owner is not known counts by its source.
WITH named AS (
  SELECT DISTINCT payload ->> 'fromOwnerId' AS owner_id,
    CASE WHEN payload ->> 'fromOwnerId' = '' THEN payload ->> 'fromAccountId' END AS source
  FROM outbox
  WHERE key = ANY (ARRAY(SELECT 'commerce.transfer:' || transfer_id FROM unnest($1::text[]) AS transfer_id))
), placed AS (
  SELECT p.payload ->> 'transferId' AS transfer_id, p.due_at, n.owner_id, n.source,
    row_number() OVER (PARTITION BY p.payload ->> 'fromAccountId' ORDER BY p.due_at, p.key) AS in_source
  -- Not joined by key: a plan made while all rows of the table were dead would walk the table.
  FROM named n CROSS JOIN LATERAL (
    SELECT key, payload, due_at FROM outbox WHERE payload ->> 'fromOwnerId' = n.owner_id OFFSET 0
  ) p
  WHERE p.payload ->> 'fromAccountId' = coalesce(n.source, p.payload ->> 'fromAccountId')
), turns AS (
  SELECT transfer_id,
    row_number() OVER (PARTITION BY owner_id, source ORDER BY in_source, due_at, transfer_id)::int AS turn
  FROM placed
)
SELECT transfer_id AS "transferId", turn FROM turns WHERE transfer_id = ANY ($1::text[])
