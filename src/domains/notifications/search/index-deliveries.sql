-- name: lockIndexing
-- One process at a time, so that positions are in the order of the queue.
SELECT pg_try_advisory_xact_lock(7246021912) AS taken;

-- name: takeQueued
-- In: $1 nothing waits below this entry any more, $2 at most so many entries, $3 about so many deliveries
SELECT entry_id AS "entryId", delivery_ids AS "deliveryIds"
FROM (
  SELECT q.entry_id, q.delivery_ids, sum(cardinality(q.delivery_ids)) OVER (ORDER BY q.entry_id) - cardinality(q.delivery_ids) AS before
  FROM (SELECT entry_id, delivery_ids FROM delivery_search_queue WHERE entry_id >= $1::bigint ORDER BY entry_id LIMIT $2) AS q
) AS queued
WHERE before < $3::bigint
ORDER BY entry_id;

-- name: oldest
-- In: $1 nothing waits below this entry any more
-- Out: the entry that waits for longest, and since when
-- not null: waitingMs
SELECT entry_id AS "entryId", (extract(epoch FROM clock_timestamp() - queued_at) * 1000)::float8 AS "waitingMs"
FROM delivery_search_queue WHERE entry_id >= $1::bigint ORDER BY entry_id LIMIT 1;

-- name: searched
-- In: $1 delivery ids
-- type: channel = import('../types.js').Channel
-- type: content = import('../providers/provider.js').RenderedContent | Record<string, never>
SELECT delivery_id AS "deliveryId", created_at AS "createdAt", user_id AS "userId", channel, notification_type AS "notificationType", producer,
       rendered_content AS content, recipient_address AS address
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[]) AND created_at >= (SELECT uuids_earliest($1));

-- name: index
-- In and out: see index_deliveries
SELECT index_deliveries($1::jsonb) AS written;

-- name: complete
-- In: $1 entries
DELETE FROM delivery_search_queue WHERE entry_id = ANY ($1::bigint[]);
