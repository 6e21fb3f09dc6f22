-- name: waiting
-- How many deliveries wait, by channel and status.
-- In: arrays of one length: $1 channels, $2 QUEUED, RETRYING or SCHEDULED, $3 none is due before this instant any more; $4 they are
--     counted up to so many, $5 of so many the ids
-- Out: "bound": what is due later hides nothing that comes before it; "deliveryIds": those that are due first, in order
-- not null: channel, status, count, bound
-- type: channel = import('../channels.js').Channel
-- type: status = import('./share.js').WaitingStatus
SELECT asked.channel, asked.status, counted.count, counted.due_at AS "dueAt", least(counted.due_at, now()) AS bound,
       counted.delivery_ids[1 : $5] AS "deliveryIds"
FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS asked (channel, status, due_from)
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count, min(first.due_at) AS due_at, array_agg(first.delivery_id ORDER BY first.due_at) AS delivery_ids
  FROM (
    SELECT p.delivery_id, p.due_at FROM pending_deliveries p
    WHERE p.channel = asked.channel AND p.status = asked.status AND p.due_at >= asked.due_from
    ORDER BY p.due_at
    LIMIT $4
  ) AS first
) AS counted;

-- name: allWaiting
-- To be estimated.
-- In: $1 channel, $2 status
SELECT FROM pending_deliveries WHERE channel = $1 AND status = $2;

-- name: reasons
-- What says why deliveries wait: their last event, with what was decided by it.
-- In: $1 delivery ids
-- type: channel = import('../channels.js').Channel
-- type: event = import('../types.js').LifecycleEvent
-- type: detail = import('../types.js').Detail
-- not null: isFallback, since
-- null: event, at
SELECT d.delivery_id AS "deliveryId", d.channel, d.last_error AS "lastError", d.fallback_for_id IS NOT NULL AS "isFallback",
       coalesce(d.queued_at, d.created_at) AS since, e.event, e.detail, e.at
FROM deliveries d
LEFT JOIN LATERAL (
  SELECT last_event_at FROM notification_requests
  WHERE request_id = d.request_id AND notification_requests.created_at >= uuid_earliest(d.request_id) LIMIT 1) AS r ON true
LEFT JOIN LATERAL (
  SELECT event, detail, at FROM delivery_events
  WHERE delivery_id = d.delivery_id AND at >= d.created_at - interval '1 hour'
    AND at <= coalesce(r.last_event_at, 'infinity') + interval '1 hour'
  ORDER BY number DESC
  LIMIT 1
) AS e ON true
WHERE d.delivery_id = ANY ($1::uuid[]) AND d.created_at >= (SELECT uuids_earliest($1));

-- name: forDigests
-- What waits for digests, by channel.
-- In: $1 so many are looked at, those that are due first
-- Out: "total": how many there are, up to one more than that
-- not null: total, count, since, oldestId
-- type: channel = import('../channels.js').Channel
WITH first AS MATERIALIZED (
  SELECT i.delivery_id, row_number() OVER (ORDER BY i.due_at, i.digest_id, i.delivery_id) AS n
  FROM (SELECT due_at, digest_id, delivery_id FROM digest_items ORDER BY due_at, digest_id, delivery_id LIMIT $1 + 1) AS i
)
SELECT d.channel, (SELECT count(*)::int FROM first) AS total, count(*)::int AS count, min(d.created_at) AS since,
       (array_agg(d.delivery_id ORDER BY d.created_at))[1] AS "oldestId"
FROM (SELECT delivery_id FROM first WHERE n <= $1) AS looked
CROSS JOIN LATERAL (
  SELECT o.delivery_id, o.channel, o.created_at FROM deliveries o
  WHERE o.delivery_id = looked.delivery_id AND o.created_at >= uuid_earliest(looked.delivery_id)
  LIMIT 1) AS d
GROUP BY d.channel;

-- name: allForDigests
-- To be estimated.
SELECT FROM digest_items;

-- name: dead
-- Open dead letters by channel and cause: of each channel the oldest.
-- In: arrays of one length: $1 channels, $2 none was given up before this instant any more; $3 so many of each are looked at
-- Out: "cause": the code of the last error; "total": how many the channel has, up to that
-- not null: channel, cause, total, count, since, oldestId
-- type: channel = import('../channels.js').Channel
SELECT asked.channel, split_part(f.error, ':', 1) AS cause, (sum(count(*)) OVER (PARTITION BY asked.channel))::int AS total,
       count(*)::int AS count, min(f.failed_at) AS since, (array_agg(f.delivery_id ORDER BY f.failed_at))[1] AS "oldestId"
FROM unnest($1::text[], $2::timestamptz[]) AS asked (channel, failed_from)
CROSS JOIN LATERAL (
  SELECT l.delivery_id, l.error, l.failed_at FROM failed_notifications l
  WHERE l.settled_at IS NULL AND l.channel = asked.channel AND l.failed_at >= asked.failed_from
  ORDER BY l.failed_at, l.delivery_id
  LIMIT $3
) AS f
GROUP BY 1, 2;

-- name: allDead
-- To be estimated.
-- In: $1 channel
SELECT FROM failed_notifications WHERE settled_at IS NULL AND channel = $1;
