-- Accepts notification requests, many in one call: each one's id, the request, its deliveries and their first lifecycle
-- events. Each has an outcome of its own; an error spoils them all.
--
-- In
--   requests       a JSON array, no (producer, notificationId) twice, of
--     producer, notificationId, requestId, bodyHash (hex), response   what a repeat is answered
--     type, priority, templateId, scheduleAt, scheduleInLocalTime, expiresAt, correlationId, maxRetries
--     at           the instant of acceptance
--     traceparent  W3C trace context, where its deliveries are traced
--     isRefused    everybody is left out: the id stays free, and what was decided is stored, so that it can be looked up. It is
--                  stored once, where no request has the producer and the id; the newest of an id is never hidden by one
--     group        {key, actorId, actorName, windowMs}, where its notifications are grouped; see join_notification_groups
--     deliveries   [{deliveryId, userId, channel, status, suppression, content, address, variables, fallbackChannels,
--                    dueAt, digest: {id, dueAt}, isGrouped, steps: [{event, detail}]}]; "digest": the one that it goes out with
--   dedup_window   an id first seen longer ago than this is free again
-- Out: a row for each request, in order
--   accepted              everything is stored
--   repeated, response    the id stands for the same body: nothing is stored
--   reused                the id stands for another body: nothing is stored
--   refused               it is one with isRefused
--
-- Promises
--   Of several calls with one id at once, one is accepted; the others wait for it and see what it stored.
--   Calls take ids in one order, so that none waits for another in a circle.
--   Calls take deliveries before requests, as apply_transitions does.
--   Lifecycle events are numbered from 1 without gaps; last_event is the highest.
--   No request and no delivery is created before uuid_earliest of its id, nor a delivery before its request, whatever clocks say:
--   they are looked for from there on.
CREATE OR REPLACE FUNCTION accept_notifications(requests jsonb, dedup_window interval)
RETURNS TABLE (outcome text, response jsonb)
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
-- Kept they are also for few: planning anew for each short array takes longer than the work.
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  accepted uuid[];
  groups jsonb := '{}';
BEGIN
  WITH taken AS (
    INSERT INTO notification_ids AS ids (producer, notification_id, request_id, body_hash, response, first_seen)
      SELECT r.producer, r."notificationId", r."requestId", decode(r."bodyHash", 'hex'), r.response, r.at
        FROM jsonb_to_recordset(requests) AS r(producer text, "notificationId" text, "requestId" uuid, "bodyHash" text,
                                               response jsonb, at timestamptz, "isRefused" boolean)
        WHERE r."isRefused" IS NOT TRUE
        ORDER BY r.producer, r."notificationId"
      ON CONFLICT (producer, notification_id) DO UPDATE
        SET request_id = excluded.request_id, body_hash = excluded.body_hash,
            response = excluded.response, first_seen = excluded.first_seen
        WHERE ids.first_seen < excluded.first_seen - dedup_window
      RETURNING ids.request_id
  )
  SELECT coalesce(array_agg(request_id), '{}') INTO accepted FROM taken;

  -- In the order in which everybody locks both tables: see detach_month.
  LOCK TABLE ONLY deliveries IN ROW EXCLUSIVE MODE;

  IF jsonb_path_exists(requests, '$[*] ? (@.isRefused == true)') THEN
    accepted := accepted || ARRAY(
      SELECT r."requestId"
        FROM jsonb_to_recordset(requests) AS r(producer text, "notificationId" text, "requestId" uuid, "isRefused" boolean)
        WHERE r."isRefused" AND NOT EXISTS (
          SELECT FROM notification_requests earlier
            WHERE earlier.notification_id = r."notificationId" AND earlier.producer = r.producer));
  END IF;

  IF jsonb_path_exists(requests, '$[*].group') THEN
    groups := join_notification_groups(requests, accepted);
  END IF;

  INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, schedule_at,
                                     schedule_in_local_time, expires_at, correlation_id, last_event, last_event_at, created_at,
                                     traceparent)
    SELECT r."requestId", r.producer, r."notificationId", r.type, r.priority, r."templateId", r."scheduleAt",
           coalesce(r."scheduleInLocalTime", false), r."expiresAt", r."correlationId",
           (SELECT coalesce(sum(jsonb_array_length(d -> 'steps')), 0) FROM jsonb_array_elements(r.deliveries) AS d),
           r.at, greatest(r.at, uuid_earliest(r."requestId")), r.traceparent
      FROM jsonb_to_recordset(requests) AS r("requestId" uuid, producer text, "notificationId" text, type text,
        priority text, "templateId" text, "scheduleAt" timestamptz, "scheduleInLocalTime" boolean, "expiresAt" timestamptz,
        "correlationId" text, deliveries jsonb, at timestamptz, traceparent text)
      WHERE r."requestId" = ANY (accepted);

  INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
                          priority, status, suppression, max_retries, rendered_content, recipient_address, variables,
                          fallback_channels, due_at, queued_at, created_at, expires_at, group_id)
    SELECT d."deliveryId", r."requestId", r."notificationId", r.producer, d."userId", r.type, d.channel, r.priority,
           d.status, d.suppression, r."maxRetries", d.content, d.address, d.variables,
           coalesce(d."fallbackChannels", '{}'), d."dueAt", CASE d.status WHEN 'QUEUED' THEN r.at END,
           greatest(r.at, uuid_earliest(r."requestId"), uuid_earliest(d."deliveryId")), r."expiresAt",
           CASE WHEN d."isGrouped" THEN (groups ->> (r."requestId" || '/' || d."userId"))::uuid END
      FROM ROWS FROM (jsonb_to_recordset(requests) AS ("requestId" uuid, producer text, "notificationId" text, type text,
             priority text, "expiresAt" timestamptz, "maxRetries" int, deliveries jsonb, at timestamptz))
             WITH ORDINALITY AS r("requestId", producer, "notificationId", type, priority, "expiresAt", "maxRetries",
                                  deliveries, at, n)
      CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(r.deliveries) AS ("deliveryId" uuid, "userId" text, channel text,
             status text, suppression text, content jsonb, address text, variables jsonb, "fallbackChannels" text[],
             "dueAt" timestamptz, "isGrouped" boolean))
             WITH ORDINALITY AS d("deliveryId", "userId", channel, status, suppression, content, address, variables,
                                  "fallbackChannels", "dueAt", "isGrouped", n)
      WHERE r."requestId" = ANY (accepted)
      ORDER BY r.n, d.n;

  IF jsonb_path_exists(requests, '$[*].deliveries[*].digest') THEN
    INSERT INTO digest_items (delivery_id, digest_id, due_at)
      SELECT d."deliveryId", d.digest ->> 'id', (d.digest ->> 'dueAt')::timestamptz
        FROM jsonb_to_recordset(requests) AS r("requestId" uuid, deliveries jsonb)
        CROSS JOIN LATERAL jsonb_to_recordset(r.deliveries) AS d("deliveryId" uuid, digest jsonb)
        WHERE r."requestId" = ANY (accepted) AND d.digest IS NOT NULL;
  END IF;

  INSERT INTO delivery_events (request_id, number, delivery_id, event, status, detail, earlier, at)
    SELECT r."requestId", sum(jsonb_array_length(d.steps)) OVER (PARTITION BY r."requestId" ORDER BY d.n),
           d."deliveryId", d.steps -> -1 ->> 'event', d.status, d.steps -> -1 -> 'detail', nullif(d.steps - -1, '[]'), r.at
      FROM jsonb_to_recordset(requests) AS r("requestId" uuid, deliveries jsonb, at timestamptz)
      CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(r.deliveries) AS ("deliveryId" uuid, status text, steps jsonb))
             WITH ORDINALITY AS d("deliveryId", status, steps, n)
      WHERE r."requestId" = ANY (accepted);

  RETURN QUERY
    SELECT CASE
             WHEN r."isRefused" THEN 'refused'
             WHEN known.request_id = r."requestId" THEN 'accepted'
             WHEN known.body_hash = decode(r."bodyHash", 'hex') THEN 'repeated'
             ELSE 'reused'
           END,
           CASE WHEN known.request_id <> r."requestId" THEN known.response END
      FROM ROWS FROM (jsonb_to_recordset(requests) AS (producer text, "notificationId" text, "requestId" uuid,
             "bodyHash" text, "isRefused" boolean))
             WITH ORDINALITY AS r(producer, "notificationId", "requestId", "bodyHash", "isRefused", n)
      LEFT JOIN LATERAL (
        SELECT ids.request_id, ids.body_hash, ids.response
          FROM notification_ids ids
          WHERE ids.producer = r.producer AND ids.notification_id = r."notificationId"
          LIMIT 1) AS known ON true
      ORDER BY r.n;
END;
$$;
