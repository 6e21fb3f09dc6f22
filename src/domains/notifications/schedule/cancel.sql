-- name: lockUnsent
-- What of a request can still be cancelled: nothing was sent of it, and it stands for no others. apply_transitions sees to it that no worker is just sending it.
-- In: $1 request
SELECT d.delivery_id AS "deliveryId", d.attempt
FROM deliveries d
WHERE d.request_id = $1 AND d.created_at >= (SELECT uuid_earliest($1)) AND d.status IN ('SCHEDULED', 'QUEUED', 'RETRYING')
  AND NOT EXISTS (
    SELECT FROM target_outcomes o
    WHERE o.delivery_id = d.delivery_id AND o.updated_at >= (SELECT uuid_earliest($1)) AND o.error IS NULL)
  AND coalesce((d.rendered_content #>> '{group,count}')::int, 1) = 1
ORDER BY d.delivery_id
FOR UPDATE OF d;

-- name: markCancelled
-- What waits for another attempt, or is just being sent, is not sent again; and nothing falls back.
-- In: $1 request, $2 now
UPDATE notification_requests SET cancelled_at = coalesce(cancelled_at, $2)
WHERE request_id = $1 AND created_at >= (SELECT uuid_earliest($1));
