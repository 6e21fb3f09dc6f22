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

-- name: finish
-- The same of heads of mailboxes, with whether more waits in each mailbox afterwards.
-- In: $1 a JSON array of transitions; $2 to $6 see followed_deliveries, which is asked after they were applied
-- not null: deliveryId, requestId, hasFallback, channel, priority, notificationType, since, isFollowed
-- type: channel = import('../types.js').Channel
-- type: priority = import('../types.js').Priority
-- type: fallbackChannel = import('../channels.js').Channel
WITH applied AS MATERIALIZED (
  SELECT * FROM apply_transitions($1)
), followed AS MATERIALIZED (
  SELECT followed_deliveries($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[]) AS ids
  FROM (SELECT count(*) FROM applied) AS finished
)
SELECT applied.*, applied."deliveryId" = ANY (followed.ids) AS "isFollowed" FROM applied CROSS JOIN followed;
