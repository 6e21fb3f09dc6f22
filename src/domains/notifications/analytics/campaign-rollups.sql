-- name: campaignsOf
-- In: $1 requests
-- Out: those that are pages of campaigns
-- not null: requestId
SELECT request_id AS "requestId", campaign_id AS "campaignId" FROM campaign_pages WHERE request_id = ANY ($1::uuid[]);

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
