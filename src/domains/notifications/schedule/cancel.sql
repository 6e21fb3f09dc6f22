-- name: lockUnsent
-- What of a request can still be cancelled: nothing was sent of it. apply_transitions sees to it that no worker is just sending it.
-- Of what was left out for a digest takeFromDigests says whether it still waits there.
-- In: $1 request
-- not null: isGathered
SELECT d.delivery_id AS "deliveryId", d.attempt, d.status = 'SUPPRESSED' AS "isGathered"
FROM deliveries d
WHERE d.request_id = $1 AND d.created_at >= (SELECT uuid_earliest($1))
  AND (d.status IN ('SCHEDULED', 'QUEUED', 'RETRYING') OR d.status = 'SUPPRESSED' AND d.suppression = 'DIGESTED')
  AND NOT EXISTS (
    SELECT FROM target_outcomes o
    WHERE o.delivery_id = d.delivery_id AND o.updated_at >= (SELECT uuid_earliest($1)) AND o.error IS NULL)
ORDER BY d.delivery_id
FOR UPDATE OF d;

-- name: markCancelled
-- What waits for another attempt, or is just being sent, is not sent again; and nothing falls back.
-- In: $1 request, $2 now
UPDATE notification_requests SET cancelled_at = coalesce(cancelled_at, $2)
WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1));
