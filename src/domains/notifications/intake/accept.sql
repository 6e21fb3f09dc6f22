-- name: accept
-- In: $1 a JSON array of requests, $2 milliseconds of the deduplication window; see accept_notifications
SELECT outcome, response FROM accept_notifications($1, $2 * interval '1 millisecond');
