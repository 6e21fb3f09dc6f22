-- name: requestsForward
-- Requests, newest first, older than the cursor, as far as they pass the filter (NULL: no filter).
-- In: $1 producer, $2 and $3 the cursor's instant and request, $4 user among its recipients, $5 type, $6 channel of one
--     of its deliveries, $7 accepted at or after, $8 accepted before, $9 status, $10 at most so many
SELECT r.request_id AS "requestId"
FROM notification_requests r
WHERE ($1::text IS NULL OR r.producer = $1)
  AND ($2::timestamptz IS NULL OR (r.created_at, r.request_id) < ($2, $3::uuid))
  AND ($5::text IS NULL OR r.type = $5)
  AND ($7::timestamptz IS NULL OR r.created_at >= $7)
  AND ($8::timestamptz IS NULL OR r.created_at < $8)
  AND (($4::text IS NULL AND $6::text IS NULL) OR EXISTS (
    SELECT FROM deliveries d
    WHERE d.request_id = r.request_id AND ($4 IS NULL OR d.user_id = $4) AND ($6 IS NULL OR d.channel = $6)))
  AND ($9::text IS NULL OR request_status(r.request_id) = $9)
ORDER BY r.created_at DESC, r.request_id DESC
LIMIT $10;

-- name: requestsBackward
-- The same, newer than the cursor, the nearest first.
SELECT r.request_id AS "requestId"
FROM notification_requests r
WHERE ($1::text IS NULL OR r.producer = $1)
  AND ($2::timestamptz IS NULL OR (r.created_at, r.request_id) > ($2, $3::uuid))
  AND ($5::text IS NULL OR r.type = $5)
  AND ($7::timestamptz IS NULL OR r.created_at >= $7)
  AND ($8::timestamptz IS NULL OR r.created_at < $8)
  AND (($4::text IS NULL AND $6::text IS NULL) OR EXISTS (
    SELECT FROM deliveries d
    WHERE d.request_id = r.request_id AND ($4 IS NULL OR d.user_id = $4) AND ($6 IS NULL OR d.channel = $6)))
  AND ($9::text IS NULL OR request_status(r.request_id) = $9)
ORDER BY r.created_at, r.request_id
LIMIT $10;
