-- name: findAccepted
-- In: $1 producer, $2 notification id, $3 only what was first seen after this instant
-- Out: the first response and the hash of its body, or nothing
SELECT body_hash, response
FROM notification_ids
WHERE producer = $1 AND notification_id = $2 AND first_seen >= $3;
