-- name: lockCalled
-- Holds the row of a delivery that nobody has claimed since the call that got this lease, though the lease may have ended. Its
-- token was left there when apply_transitions refused the answer, or a report moved the delivery.
-- In: $1 delivery, $2 lease token
-- Out: nothing where somebody else has claimed it, or the call's answer is recorded already
SELECT d.status, coalesce(d.early_reports, '[]') AS "earlyReports"
FROM deliveries d
WHERE d.delivery_id = $1 AND d.lease_token = $2
  AND NOT EXISTS (SELECT FROM pending_deliveries p WHERE p.delivery_id = d.delivery_id AND p.lease_token <> $2)
FOR UPDATE OF d;

-- name: keepAnswer
-- Keeps what a provider answered for targets of a held delivery whose status a report has moved, and ends its lease. Where
-- the report has finished a target, the answer adds the id alone.
-- In: $1 delivery, $2 a JSON array of finished targets, $3 now
WITH ended AS (
  UPDATE deliveries SET lease_token = NULL, lease_until = NULL, early_reports = NULL WHERE delivery_id = $1
)
INSERT INTO delivery_targets (delivery_id, target, error, provider_id, updated_at)
SELECT $1, f ->> 'target', f ->> 'error', f ->> 'providerId', $3
FROM jsonb_array_elements($2::jsonb) AS f
ON CONFLICT (delivery_id, target) DO UPDATE
  SET provider_id = excluded.provider_id, updated_at = excluded.updated_at
  WHERE excluded.provider_id IS NOT NULL;
