-- name: lockCalled
-- Holds the row of a delivery that got this lease's call, though the lease may have ended. Its token was left there when
-- apply_transitions refused the answer, or a report moved the delivery.
-- In: $1 delivery, $2 lease token
-- Out: nothing where the call's answer is recorded already
-- not null: earlyReports
-- type: status = import('../types.js').DeliveryStatus
SELECT status, coalesce(early_reports, '[]') AS "earlyReports"
FROM deliveries
WHERE delivery_id = $1 AND created_at >= (SELECT uuid_earliest($1)) AND lease_token = $2
FOR UPDATE;

-- name: lockLease
-- Has nobody claim a held delivery until the transaction ends. Asked once its row is held: a lease may have ended meanwhile.
-- In: $1 delivery, $2 lease token
-- Out: whether somebody else has claimed it; nothing where it waits no more
SELECT lease_token <> $2 AS "isClaimed" FROM pending_deliveries WHERE delivery_id = $1 FOR UPDATE;

-- name: keepAnswer
-- Keeps what a provider answered for targets of a held delivery whose status a report has moved, and ends its lease. Where
-- the report has finished a target, the answer adds the id alone.
-- In: $1 delivery, $2 a JSON array of finished targets
WITH ended AS (
  UPDATE deliveries SET lease_token = NULL, lease_until = NULL, early_reports = NULL
  WHERE delivery_id = $1 AND created_at >= (SELECT uuid_earliest($1))
  RETURNING delivery_id, created_at
), finished AS (
  SELECT ended.*, f ->> 'target' AS target, f ->> 'error' AS error, f ->> 'providerId' AS provider_id
  FROM ended CROSS JOIN jsonb_array_elements($2::jsonb) AS f
), noted AS (
  INSERT INTO target_outcomes (delivery_id, target, error, provider_id, updated_at)
  SELECT f.delivery_id, f.target, f.error, f.provider_id, f.created_at FROM finished f
  ON CONFLICT DO NOTHING
  RETURNING target
)
UPDATE target_outcomes o SET provider_id = f.provider_id
FROM finished f
WHERE o.delivery_id = $1 AND o.updated_at >= (SELECT uuid_earliest($1)) AND o.target = f.target AND f.provider_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM noted n WHERE n.target = f.target);
