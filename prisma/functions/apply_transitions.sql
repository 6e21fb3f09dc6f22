-- Makes steps of deliveries' lives (see transition.ts), each only if its condition holds, with all that belongs to them:
-- lifecycle events, outcomes of targets, dead devices, what is known of addresses (apply_address_events), the audit record, and,
-- where a delivery is given up (or is left out since its address is suppressed, or it was itself a fallback), a SCHEDULED delivery
-- on its next fallback channel, due at once. One that goes with a digest is not left out in this sense.
--
-- In:  a JSON array of transitions, no delivery twice
-- Out: a row for each that was applied: its delivery, its request, whether it made a fallback delivery and which, what
--      is counted of it ("templateId": the one that its request named), and since when it was on its way: since it was
--      accepted, or since the time that its request was scheduled for (in local time: since it came into its mailbox)
--
-- Promises
--   A transition with a lease token is applied while that lease stands and the delivery is QUEUED, unless reports wait
--   for it that it may decide (see overtaken.ts). One without is applied, since its caller holds the delivery's row; but
--   one that cancels is not while somebody has a lease.
--   A lease ends, and reports that waited are dropped, unless the transition says "keepsLease". Where such a one ends the
--   waiting, and where reports stood in the way, the lease's token is left in the delivery: with it the process that
--   called the provider records the answer.
--   Deliveries are locked before what is pending of them, and that before requests, each in one order, so that no two calls
--   wait for each other in a circle. claim_deliveries locks what is pending alone, and waits for nobody.
--   Lifecycle events are numbered under their request's lock: gapless and in commit order.
--   A user has one delivery on a channel of a request: a fallback is made under the request's lock, by a statement that began after it
--   was had, and one of several that would go to the same channel at once.
--   Neither a fallback nor a target's outcome is in an earlier month than its delivery.
CREATE OR REPLACE FUNCTION apply_transitions(transitions jsonb)
RETURNS TABLE ("deliveryId" uuid, "requestId" uuid, "hasFallback" boolean, channel text, priority text,
               "notificationType" text, "templateId" text, since timestamptz, "fallbackId" uuid, "fallbackChannel" text)
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
-- Kept they are also for few: planning anew for each short array takes longer than the work.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  ids uuid[] := ARRAY(SELECT (t ->> 'deliveryId')::uuid FROM jsonb_array_elements(transitions) AS t);
  requests uuid[];
  -- Look-ups leave out the months before.
  made_from timestamptz := uuids_earliest(ids);
  requested_from timestamptz;
  -- Of those that were applied, in their order: which of the transitions it was, and its delivery's columns.
  places int[];
  applied uuid[];
  applied_to uuid[];
  channels text[];
  priorities text[];
  types text[];
  created timestamptz[];
  queued timestamptz[];
  -- Of the fallbacks that were made, in their order.
  fallen uuid[];
  fallen_for uuid[];
  fallen_of uuid[];
  fallen_to text[];
  fallen_at timestamptz[];
  -- What takes a statement of its own has one only where there is any of it: starting a statement costs more than its work on few rows.
  has_targets constant boolean := jsonb_path_exists(transitions, '$[*].targets[*]');
  has_ended constant boolean := jsonb_path_exists(transitions, '$[*] ? (@.status == "DEAD" || @.status == "SUPPRESSED")');
  written int;
BEGIN
  SELECT array_agg(DISTINCT d.request_id) INTO requests
    FROM (SELECT d.request_id FROM deliveries d
          WHERE d.delivery_id = ANY (ids) AND d.created_at >= made_from ORDER BY d.delivery_id FOR UPDATE) AS d;
  requested_from := uuids_earliest(requests);
  -- Nobody leases them from here on.
  PERFORM FROM pending_deliveries p WHERE p.delivery_id = ANY (ids) ORDER BY p.delivery_id FOR UPDATE;
  PERFORM FROM notification_requests r WHERE r.request_id = ANY (requests) AND r.created_at >= requested_from
    ORDER BY r.request_id FOR UPDATE;

  -- A device whose token is dead is removed even where another process has the lease.
  IF jsonb_path_exists(transitions, '$[*].deadDevices[*]') THEN
    PERFORM FROM user_devices u
      WHERE u.device_token IN (SELECT jsonb_path_query(transitions, '$[*].deadDevices[*].token') #>> '{}')
      ORDER BY u.user_id, u.device_id
      FOR UPDATE;
    DELETE FROM user_devices u
      USING jsonb_array_elements(transitions) AS t
        CROSS JOIN LATERAL (SELECT d.user_id FROM deliveries d
                            WHERE d.delivery_id = (t ->> 'deliveryId')::uuid AND d.created_at >= made_from) AS d
        CROSS JOIN LATERAL jsonb_array_elements(t -> 'deadDevices') AS f
      WHERE u.user_id = d.user_id AND u.device_id = f ->> 'deviceId' AND u.device_token = f ->> 'token'
        AND u.last_seen_at <= (f ->> 'since')::timestamptz;
  END IF;

  -- What a provider said of an address holds, even where another process has the lease.
  IF jsonb_path_exists(transitions, '$[*].addressEvents[*]') THEN
    PERFORM apply_address_events(jsonb_path_query_array(transitions, '$[*].addressEvents[*]'));
  END IF;

  WITH wanted AS (
    SELECT t, (t ->> 'deliveryId')::uuid AS delivery_id, (t ->> 'leaseToken')::uuid AS lease_token,
           (t ->> 'at')::timestamptz AS at, n, p.lease_token AS held_token, p.lease_until AS held_until
    FROM jsonb_array_elements(transitions) WITH ORDINALITY AS e (t, n)
    LEFT JOIN pending_deliveries p ON p.delivery_id = ANY (ids) AND p.delivery_id = (t ->> 'deliveryId')::uuid
  ), updated AS (
    UPDATE deliveries d
    SET status = w.t ->> 'status',
        attempt = (w.t ->> 'attempt')::int,
        last_error = coalesce(w.t ->> 'lastError', d.last_error),
        next_retry_at = (w.t ->> 'nextRetryAt')::timestamptz,
        due_at = (w.t ->> 'dueAt')::timestamptz,
        queued_at = CASE w.t ->> 'status' WHEN 'QUEUED' THEN w.at ELSE d.queued_at END,
        -- What was left out for a digest, and goes by itself after all, is left out no more.
        suppression = CASE WHEN w.t ->> 'status' <> 'QUEUED' THEN coalesce(w.t ->> 'suppression', d.suppression) END,
        rendered_content = coalesce(w.t -> 'content', d.rendered_content),
        fallback_channels = CASE WHEN w.t ? 'fallbackChannels' THEN ARRAY(SELECT jsonb_array_elements_text(w.t -> 'fallbackChannels'))
                                 ELSE d.fallback_channels END,
        -- For its fallback, which has them too.
        variables = CASE WHEN w.t ? 'variables' AND (d.fallback_channels <> '{}' OR w.t ? 'fallbackChannels') THEN coalesce(d.variables, '{}') || (w.t -> 'variables')
                         ELSE d.variables END,
        recipient_address = coalesce(w.t ->> 'address', d.recipient_address),
        lease_token = CASE WHEN (w.t ->> 'keepsLease')::boolean THEN coalesce(w.held_token, d.lease_token) END,
        lease_until = CASE WHEN (w.t ->> 'keepsLease')::boolean THEN coalesce(w.held_until, d.lease_until) END,
        early_reports = CASE WHEN (w.t ->> 'keepsLease')::boolean THEN d.early_reports END
    FROM wanted w
    WHERE d.delivery_id = ANY (ids) AND d.created_at >= made_from AND d.delivery_id = w.delivery_id
      AND (w.lease_token IS NULL AND (w.t ->> 'status' <> 'CANCELLED' OR w.held_until IS NULL OR w.held_until < clock_timestamp())
           OR (w.held_token = w.lease_token AND d.status = 'QUEUED'
               AND (d.early_reports IS NULL
                    -- That the provider has it says its answer too.
                    OR (w.t ->> 'status' IN ('SENT', 'DELIVERED')
                        AND NOT jsonb_path_exists(d.early_reports, '$[*] ? (@.kind == "failed")')))))
    RETURNING w.n, d.delivery_id, d.request_id, d.channel, d.priority, d.notification_type, d.created_at, d.queued_at
  )
  SELECT array_agg(u.n), array_agg(u.delivery_id), array_agg(u.request_id), array_agg(u.channel), array_agg(u.priority),
         array_agg(u.notification_type), array_agg(u.created_at), array_agg(u.queued_at)
    INTO places, applied, applied_to, channels, priorities, types, created, queued
    FROM (SELECT * FROM updated ORDER BY n) AS u;

  IF has_ended THEN
    WITH made AS (
      INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
                              priority, status, max_retries, rendered_content, variables, fallback_channels,
                              fallback_for_id, due_at, created_at, expires_at)
      SELECT made.id, made.request_id, made.notification_id, made.producer, made.user_id, made.notification_type, made.next_channel,
             made.priority, 'SCHEDULED', made.max_retries, '{}', made.variables, made.fallback_channels[made.place + 1 :],
             made.delivery_id, made.at, greatest(made.at, made.created_at, uuid_earliest(made.id)), made.expires_at
      FROM (
        SELECT DISTINCT ON (d.request_id, d.user_id, next.channel)
          d.*, next.channel AS next_channel, next.place, new_uuid_v7(clock_timestamp()) AS id,
          (transitions -> (a.n - 1) ->> 'at')::timestamptz AS at, a.n
        FROM unnest(places, applied) AS a (n, delivery_id)
        JOIN deliveries d ON d.delivery_id = ANY (ids) AND d.delivery_id = a.delivery_id AND d.created_at >= made_from
        CROSS JOIN LATERAL (
          SELECT c.channel, c.place
          FROM unnest(d.fallback_channels) WITH ORDINALITY AS c (channel, place)
          WHERE NOT EXISTS (SELECT FROM deliveries other
                            WHERE other.request_id = d.request_id AND other.user_id = d.user_id
                              AND other.channel = c.channel AND other.created_at >= requested_from)
          ORDER BY c.place
          LIMIT 1) AS next
        WHERE (d.status = 'DEAD'
               OR (d.status = 'SUPPRESSED' AND d.suppression <> 'DIGESTED'
                   AND (d.fallback_for_id IS NOT NULL OR d.suppression = 'ADDRESS_SUPPRESSED')))
          AND (SELECT r.cancelled_at FROM notification_requests r
               WHERE r.request_id = d.request_id AND r.created_at >= requested_from) IS NULL
        ORDER BY d.request_id, d.user_id, next.channel, a.n
      ) AS made
      ORDER BY made.n
      RETURNING delivery_id, fallback_for_id, request_id, channel, due_at, sequence
    )
    SELECT array_agg(m.delivery_id), array_agg(m.fallback_for_id), array_agg(m.request_id), array_agg(m.channel), array_agg(m.due_at)
      INTO fallen, fallen_for, fallen_of, fallen_to, fallen_at
      FROM (SELECT * FROM made ORDER BY sequence) AS m;
  END IF;

  IF has_targets THEN
    INSERT INTO target_outcomes (delivery_id, target, error, provider_id, updated_at)
      SELECT a.delivery_id, f ->> 'target', f ->> 'error', f ->> 'providerId', a.created_at
      FROM unnest(places, applied, created) AS a (n, delivery_id, created_at)
        CROSS JOIN LATERAL jsonb_array_elements(transitions -> (a.n - 1) -> 'targets') AS f
    -- Names no index: the one of all partitions has updated_at in it, and so does not find a target that a former version wrote.
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < (SELECT sum(jsonb_array_length(transitions -> (a.n - 1) -> 'targets')) FROM unnest(places) AS a (n)) THEN
      UPDATE target_outcomes o SET error = f ->> 'error', provider_id = coalesce(f ->> 'providerId', o.provider_id)
        FROM unnest(places, applied) AS a (n, delivery_id)
          CROSS JOIN LATERAL jsonb_array_elements(transitions -> (a.n - 1) -> 'targets') AS f
        WHERE o.delivery_id = ANY (ids) AND o.updated_at >= made_from AND o.delivery_id = a.delivery_id AND o.target = f ->> 'target';
    END IF;
  END IF;

  IF jsonb_path_exists(transitions, '$[*].failure ? (@.type() == "object")') THEN
    INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
      SELECT d.delivery_id, d.notification_id, d.user_id, d.channel, a.t -> 'failure' ->> 'error',
             (a.t -> 'failure' ->> 'attempts')::int, d.created_at, (a.t ->> 'at')::timestamptz
      FROM (SELECT p.delivery_id, transitions -> (p.n - 1) AS t FROM unnest(places, applied) AS p (n, delivery_id)) AS a
        JOIN deliveries d ON d.delivery_id = ANY (ids) AND d.delivery_id = a.delivery_id AND d.created_at >= made_from
      WHERE jsonb_typeof(a.t -> 'failure') = 'object'
    ON CONFLICT (delivery_id) DO UPDATE
      SET error = excluded.error, attempts = excluded.attempts, failed_at = excluded.failed_at, settled_at = NULL;
  END IF;

  RETURN QUERY
  WITH made_events AS (
    SELECT step.*, row_number() OVER (PARTITION BY step.request_id ORDER BY step.n, step.m) AS nth,
           count(*) OVER (PARTITION BY step.request_id) AS total
    FROM (
      SELECT a.request_id, a.delivery_id, (transitions -> (a.n - 1) ->> 'at')::timestamptz AS at, e.event ->> 'event' AS event,
             e.event ->> 'status' AS status, e.event -> 'detail' AS detail, a.n, e.m
      FROM unnest(places, applied, applied_to) AS a (n, delivery_id, request_id)
        CROSS JOIN LATERAL jsonb_array_elements(transitions -> (a.n - 1) -> 'events') WITH ORDINALITY AS e (event, m)
      UNION ALL
      SELECT f.request_id, f.delivery_id, f.due_at, step.event, 'SCHEDULED',
             CASE step.m WHEN 1 THEN jsonb_build_object('fallback_for', f.fallback_for_id) END, cardinality(ids) + f.n, step.m
      FROM unnest(fallen, fallen_for, fallen_of, fallen_at) WITH ORDINALITY AS f (delivery_id, fallback_for_id, request_id, due_at, n)
        CROSS JOIN (VALUES ('CREATED', 1), ('VALIDATED', 2)) AS step (event, m)
    ) AS step
  ), numbered AS (
    UPDATE notification_requests r
    SET last_event = r.last_event + c.total, last_event_at = greatest(r.last_event_at, c.last_at)
    FROM (SELECT e.request_id, count(*) AS total, max(e.at) AS last_at FROM made_events e GROUP BY e.request_id) AS c
    WHERE r.request_id = ANY (requests) AND r.created_at >= requested_from AND r.request_id = c.request_id
    RETURNING r.request_id, r.last_event, r.template_id, r.schedule_at, r.schedule_in_local_time
  ), events AS (
    INSERT INTO delivery_events (request_id, number, delivery_id, event, status, detail, at)
    SELECT e.request_id, numbered.last_event - e.total + e.nth, e.delivery_id, e.event, e.status, nullif(e.detail, 'null'), e.at
    FROM made_events e JOIN numbered ON numbered.request_id = e.request_id
  )
  SELECT a.delivery_id, a.request_id, f.delivery_id IS NOT NULL, a.channel, a.priority, a.type, numbered.template_id::text,
         greatest(a.created_at, CASE WHEN numbered.schedule_in_local_time THEN a.queued_at ELSE numbered.schedule_at END),
         f.delivery_id, f.channel
  FROM unnest(applied, applied_to, channels, priorities, types, created, queued)
    AS a (delivery_id, request_id, channel, priority, type, created_at, queued_at)
  LEFT JOIN numbered ON numbered.request_id = a.request_id
  LEFT JOIN unnest(fallen, fallen_for, fallen_to) AS f (delivery_id, fallback_for_id, channel) ON f.fallback_for_id = a.delivery_id;

  GET DIAGNOSTICS written = ROW_COUNT;
  IF written < cardinality(ids) THEN
    UPDATE deliveries d SET lease_token = p.lease_token, lease_until = p.lease_until
      FROM pending_deliveries p, jsonb_array_elements(transitions) AS t
      WHERE d.delivery_id = ANY (ids) AND d.created_at >= made_from AND p.delivery_id = d.delivery_id AND d.early_reports IS NOT NULL
        AND d.delivery_id = (t ->> 'deliveryId')::uuid AND p.lease_token = (t ->> 'leaseToken')::uuid;
  END IF;

  -- The search finds them by the text that was made only now.
  IF jsonb_path_exists(transitions, '$[*].content') THEN
    INSERT INTO delivery_search_queue (delivery_ids)
      SELECT array_agg((t ->> 'deliveryId')::uuid) FROM jsonb_array_elements(transitions) AS t WHERE t ? 'content';
  END IF;

  -- The next one carries what is left of them: who dies a second time falls back to nobody.
  IF has_ended THEN
    UPDATE deliveries d SET fallback_channels = '{}'
      WHERE d.delivery_id = ANY (ids) AND d.created_at >= made_from AND d.status IN ('DEAD', 'SUPPRESSED')
        AND d.suppression IS DISTINCT FROM 'DIGESTED' AND d.fallback_channels <> '{}';
  END IF;
END;
$$;
