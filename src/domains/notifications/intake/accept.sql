-- name: accept
-- In: $1 a JSON array of requests, $2 milliseconds of the deduplication window; see accept_notifications
-- Out: a row for each, in order; "response": the first one's, where it is repeated
-- not null: outcome
-- type: outcome = 'accepted' | 'repeated' | 'reused' | 'refused'
-- type: response = import('./request.js').Acceptance
SELECT outcome, response FROM accept_notifications($1, $2 * interval '1 millisecond');
