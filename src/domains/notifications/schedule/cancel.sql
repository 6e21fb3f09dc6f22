-- name: lockUnsent
-- What of requests can still be cancelled: nothing was sent of it, and it sums up nobody else's. apply_transitions sees to it that no
-- worker is just sending it. Of what was left out for a digest takeFromDigests says whether it still waits there.
-- In: $1 requests
-- not null: isGathered
SELECT d.delivery_id AS "deliveryId", d.attempt, d.status = 'SUPPRESSED' AS "isGathered"
FROM deliveries d
WHERE d.request_id = ANY ($1::uuid[]) AND d.created_at >= (SELECT uuids_earliest($1))
  AND (d.status IN ('SCHEDULED', 'QUEUED', 'RETRYING') OR d.status = 'SUPPRESSED' AND d.suppression = 'DIGESTED')
  AND NOT EXISTS (
    SELECT FROM target_outcomes o
    WHERE o.delivery_id = d.delivery_id AND o.updated_at >= (SELECT uuids_earliest($1)) AND o.error IS NULL)
  AND coalesce((d.rendered_content #>> '{group,count}')::int, 1) = 1
ORDER BY d.delivery_id
FOR UPDATE OF d;

-- name: markCancelled
-- What waits for another attempt, or is just being sent, is not sent again; and nothing falls back. Requests are locked in the order in
-- which everybody locks several.
-- In: $1 requests, $2 now
WITH locked AS MATERIALIZED (
  SELECT r.request_id, r.created_at FROM notification_requests r
  WHERE r.request_id = ANY ($1::uuid[]) AND r.created_at >= (SELECT uuids_earliest($1))
  ORDER BY r.request_id
  FOR UPDATE
)
UPDATE notification_requests r SET cancelled_at = coalesce(r.cancelled_at, $2)
FROM locked WHERE r.request_id = locked.request_id AND r.created_at = locked.created_at;
