-- name: attempts
-- How attempts ended, and how long deliveries took. An attempt may write several events at one instant.
-- In: $1 from, $2 until, $3 bounds of latency buckets in milliseconds
-- Out: counts by channel, priority, whether a provider took it, and the latency's bucket (NULL where none took it)
-- not null: reached, count
-- type: channel = import('../channels.js').Channel
-- type: priority = import('../types.js').Priority
WITH ended AS (
  SELECT e.delivery_id, e.at, bool_or(e.event = 'SENT') AS reached
  FROM delivery_events e
  WHERE e.event IN ('SENT', 'RETRY', 'DLQ') AND e.at >= $1 AND e.at < $2
    -- Deferred by our own limit: nothing was tried.
    AND e.detail ->> 'reason' IS DISTINCT FROM 'GLOBAL_LIMIT'
  GROUP BY e.delivery_id, e.at
), timed AS (
  SELECT d.channel, d.priority, ended.reached,
    -- What was scheduled, or given up and retried, is on its way since it was queued last. That is looked up only where
    -- it may matter: from half of what the priority's alert allows.
    CASE
      WHEN NOT ended.reached THEN NULL
      WHEN ended.at - d.created_at < CASE d.priority WHEN 'high' THEN interval '1 second'
                                                     WHEN 'medium' THEN interval '15 seconds'
                                                     ELSE interval '150 seconds' END THEN ended.at - d.created_at
      ELSE ended.at - coalesce((SELECT max(q.at) FROM delivery_events q
                                WHERE q.delivery_id = ended.delivery_id AND q.event = 'QUEUED' AND q.at <= ended.at
                                  AND q.at >= $1::timestamptz - interval '1 day'), d.created_at)
    END AS latency
  FROM ended CROSS JOIN LATERAL (
    SELECT channel, priority, created_at FROM deliveries
    WHERE delivery_id = ended.delivery_id AND deliveries.created_at >= uuid_earliest(ended.delivery_id)
    -- One look at the index for each: whatever is estimated, the whole table is never read.
    OFFSET 0
  ) AS d
)
SELECT channel, priority, reached, width_bucket(extract(epoch FROM latency) * 1000, $3::numeric[]) AS bucket, count(*)::int AS count
FROM timed
GROUP BY channel, priority, reached, bucket;

-- name: deadByChannel
-- In: $1 channels, $2 since
-- not null: channel, count
-- type: channel = import('../channels.js').Channel
SELECT c.channel, given_up.count
FROM unnest($1::text[]) AS c (channel)
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count FROM failed_notifications f WHERE f.channel = c.channel AND f.failed_at > $2
) AS given_up
WHERE given_up.count > 0;
