-- name: recount
-- In: $1 from, $2 until, $3 bounds of latency buckets; see count_delivery_events
-- not null: channel, priority, notificationType, templateId, event, suspected, count
-- type: channel = import('../types.js').Channel
-- type: priority = import('../types.js').Priority
-- type: event = import('../types.js').LifecycleEvent
SELECT channel, priority, "notificationType", "templateId", event, suspected, bucket, count
FROM count_delivery_events($1, $2, $3);

-- name: countEvents
-- In: $1 from, $2 until
-- not null: events
SELECT coalesce(sum(1 + coalesce(jsonb_array_length(earlier), 0)), 0)::int AS events FROM delivery_events WHERE at >= $1 AND at < $2;

-- name: hasEvents
-- In: $1 from, $2 until
-- not null: hasEvents
SELECT EXISTS (SELECT FROM delivery_events WHERE at >= $1 AND at < $2) AS "hasEvents";
