-- name: add
-- Adds to what is counted. Whoever writes rollups holds the row of notification_rollup_state.
-- In: $1 a JSON array of rows of notification_rollups, none twice
INSERT INTO notification_rollups AS r
SELECT more.* FROM jsonb_populate_recordset(NULL::notification_rollups, $1) AS more
ON CONFLICT (seconds, starts_at, channel, priority, notification_type, template_id) DO UPDATE
SET created = r.created + excluded.created,
    validated = r.validated + excluded.validated,
    preference_checked = r.preference_checked + excluded.preference_checked,
    rendered = r.rendered + excluded.rendered,
    queued = r.queued + excluded.queued,
    sent = r.sent + excluded.sent,
    delivered = r.delivered + excluded.delivered,
    opened = r.opened + excluded.opened,
    clicked = r.clicked + excluded.clicked,
    dismissed = r.dismissed + excluded.dismissed,
    unsubscribed = r.unsubscribed + excluded.unsubscribed,
    failed = r.failed + excluded.failed,
    retry = r.retry + excluded.retry,
    dlq = r.dlq + excluded.dlq,
    expired = r.expired + excluded.expired,
    scheduled = r.scheduled + excluded.scheduled,
    suppressed = r.suppressed + excluded.suppressed,
    cancelled = r.cancelled + excluded.cancelled,
    suspected_bots = r.suspected_bots + excluded.suspected_bots,
    (latency_buckets, latency_counts) = (
      SELECT coalesce(array_agg(sum.bucket ORDER BY sum.bucket), '{}'),
             coalesce(array_agg(sum.count ORDER BY sum.bucket), '{}')
      FROM (SELECT part.bucket, sum(part.count)::int AS count
            FROM (SELECT * FROM unnest(r.latency_buckets, r.latency_counts)
                  UNION ALL SELECT * FROM unnest(excluded.latency_buckets, excluded.latency_counts))
              AS part (bucket, count)
            GROUP BY part.bucket) AS sum);

-- name: clear
-- In: $1 60 or 3600, $2 from, $3 until: minutes or hours that start then
DELETE FROM notification_rollups WHERE seconds = $1 AND starts_at >= $2 AND starts_at < $3;

-- name: minutes
-- Rows of minutes, as JSON.
-- In: $1 from, $2 until
SELECT to_jsonb(r) AS row FROM notification_rollups r WHERE seconds = 60 AND starts_at >= $1 AND starts_at < $2;
