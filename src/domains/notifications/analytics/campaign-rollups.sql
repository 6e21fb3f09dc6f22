-- name: campaignsOf
-- In: $1 requests
-- Out: those that are pages of campaigns
-- not null: requestId
SELECT request_id AS "requestId", campaign_id AS "campaignId" FROM campaign_pages WHERE request_id = ANY ($1::uuid[]);

-- name: add
-- Adds to what is counted. A writer of rollups holds the row of notification_rollup_state.
-- In: $1 a JSON array of rows of campaign_rollups, none twice
INSERT INTO campaign_rollups AS r
SELECT more.* FROM jsonb_populate_recordset(NULL::campaign_rollups, $1) AS more
ON CONFLICT (campaign_id, starts_at, channel) DO UPDATE
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
-- In: $1 from, $2 until: minutes that start then
DELETE FROM campaign_rollups WHERE starts_at >= $1 AND starts_at < $2;

-- name: recount
-- In: $1 from, $2 until, $3 bounds of latency buckets; see count_campaign_events
-- not null: campaignId, channel, priority, notificationType, templateId, event, suspected, count
-- type: channel = import('../types.js').Channel
-- type: priority = import('../types.js').Priority
-- type: event = import('../types.js').LifecycleEvent
SELECT "campaignId", channel, priority, "notificationType", "templateId", event, suspected, bucket, count
FROM count_campaign_events($1, $2, $3);
