-- Counts the lifecycle events of campaigns in a time, as count_delivery_events does those of everything.
--
-- In and out: see there; "campaignId": whose
--
-- Requests are looked up one by one and remembered: most are of no campaign.
CREATE OR REPLACE FUNCTION count_campaign_events(from_at timestamptz, until_at timestamptz, bounds float8[])
RETURNS TABLE ("campaignId" uuid, channel text, priority text, "notificationType" text, "templateId" text, event text,
               suspected boolean, bucket int, count int)
LANGUAGE plpgsql STABLE
SET work_mem = '32MB'
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM campaign_pages) THEN
    RETURN;
  END IF;
  RETURN QUERY
    SELECT about.campaign_id, about.channel::text, about.priority::text, about.notification_type::text, about.template_id::text,
           s.event, coalesce(s.detail @> '{"suspected_bot": true}', false) AS suspected,
           CASE WHEN s.event = 'DELIVERED'
             THEN width_bucket((extract(epoch FROM e.at - about.created_at) * 1000)::float8, bounds) END AS bucket,
           count(*)::int
    FROM delivery_events e CROSS JOIN LATERAL (
      SELECT p.campaign_id FROM campaign_pages p WHERE p.request_id = e.request_id
      -- Keeps this a look-up of its own.
      OFFSET 0
    ) AS page CROSS JOIN LATERAL (
      SELECT page.campaign_id, d.channel, d.created_at, c.priority, c.type AS notification_type, c.template_id
      FROM deliveries d JOIN campaigns c ON c.campaign_id = page.campaign_id
      WHERE d.delivery_id = e.delivery_id AND d.created_at >= uuid_earliest(e.delivery_id)
      OFFSET 0
    ) AS about CROSS JOIN LATERAL lifecycle_events_of(e.number, e.event, e.detail, e.earlier) AS s
    WHERE e.at >= from_at AND e.at < until_at
    GROUP BY about.campaign_id, about.channel, about.priority, about.notification_type, about.template_id, s.event, 7, 8;
END;
$$;
