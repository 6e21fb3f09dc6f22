-- name: claim
-- In: $1 users, $2 channels, $3 priorities, $4 lease tokens, $5 milliseconds of the lease, $6 sequences below which nothing
--     waits; see claim_mailboxes
-- not null: n, sequence
SELECT * FROM claim_mailboxes($1, $2, $3, $4, $5, $6);

-- name: tracesOf
-- In: $1 requests
-- Out: the trace contexts of those that have one; a trace that began an hour ago is over
-- not null: traceparent
SELECT request_id AS "requestId", traceparent FROM notification_requests
WHERE request_id = ANY ($1::uuid[]) AND created_at >= uuids_earliest($1::uuid[]) AND traceparent IS NOT NULL
  AND created_at > now() - interval '1 hour';

-- name: apply
-- In: $1 a JSON array of transitions; see apply_transitions
-- Out: templateId is null where no event was made
-- not null: deliveryId, requestId, hasFallback, channel, priority, notificationType, since
-- type: channel = import('../types.js').Channel
-- type: priority = import('../types.js').Priority
-- type: fallbackChannel = import('../channels.js').Channel
SELECT * FROM apply_transitions($1);
