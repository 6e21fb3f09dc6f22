-- Counts the lifecycle events of a time by the dimensions of analytics.
--
-- In:  from when, until when (exclusive); bounds of latency buckets in milliseconds, rising
-- Out: a row for each channel, priority, type, template (the one that the request named), event, whether a bot is
--      suspected, and, of DELIVERED, bucket of latency (see width_bucket; else NULL): how often
--
-- A minute of 480,000 events is half a second's work, in one process and 32 MB: deliveries' rows are looked up one by one
-- and remembered, since a join here would be planned as a scan of the whole table.
CREATE OR REPLACE FUNCTION count_delivery_events(from_at timestamptz, until_at timestamptz, bounds float8[])
RETURNS TABLE (channel text, priority text, "notificationType" text, "templateId" text, event text, suspected boolean,
               bucket int, count int)
LANGUAGE plpgsql STABLE
SET work_mem = '32MB'
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT about.channel::text, about.priority::text, about.notification_type::text, about.template_id::text,
           s.event, coalesce(s.detail @> '{"suspected_bot": true}', false) AS suspected,
           CASE WHEN s.event = 'DELIVERED'
             THEN width_bucket((extract(epoch FROM e.at - about.since) * 1000)::float8, bounds) END AS bucket,
           count(*)::int
    FROM delivery_events e CROSS JOIN LATERAL (
      SELECT d.channel, d.priority, d.notification_type, r.template_id,
             greatest(d.created_at, CASE WHEN r.schedule_in_local_time THEN d.queued_at ELSE r.schedule_at END) AS since
      FROM deliveries d JOIN notification_requests r ON r.request_id = d.request_id AND r.created_at >= uuid_earliest(e.request_id)
      WHERE d.delivery_id = e.delivery_id AND d.created_at >= uuid_earliest(e.delivery_id)
      -- Keeps this a look-up of its own.
      OFFSET 0
    ) AS about CROSS JOIN LATERAL lifecycle_events_of(e.number, e.event, e.detail, e.earlier) AS s
    WHERE e.at >= from_at AND e.at < until_at
    GROUP BY about.channel, about.priority, about.notification_type, about.template_id, s.event, 6, 7;
END;
$$;
