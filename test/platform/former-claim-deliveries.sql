-- claim_deliveries of the version before keys of browsers had columns of their own: whatever stands in device_token is the address.
CREATE OR REPLACE FUNCTION claim_deliveries(users text[], channels text[], priorities text[], tokens uuid[], lease_ms int)
RETURNS TABLE (n int, more boolean, "deliveryId" uuid, "requestId" uuid, "notificationId" text, producer text,
               "userId" text, "notificationType" text, channel text, priority text, attempt int, "maxRetries" int,
               content jsonb, "createdAt" timestamptz, "queuedAt" timestamptz, "isCancelled" boolean,
               "expiresAt" timestamptz, "leaseToken" uuid, "takenOver" boolean,
               "heldBy" uuid, "heldMs" int, "reachedSome" boolean, targets jsonb)
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
-- Kept they are also for few: planning anew for each short array takes longer than the work.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  places int[];
  heads uuid[];
  followed boolean[];
BEGIN
  SELECT array_agg(a.n), array_agg(head.waiting[1]), array_agg(cardinality(head.waiting) > 1)
    INTO places, heads, followed
    FROM unnest(users, channels, priorities) WITH ORDINALITY AS a (user_id, channel, priorities, n)
    CROSS JOIN LATERAL (
      SELECT array_agg(found.delivery_id ORDER BY found.rank, found.sequence) AS waiting
      FROM (
        SELECT one.delivery_id, one.sequence, p.rank
        FROM unnest(string_to_array(a.priorities, ',')) WITH ORDINALITY AS p (priority, rank)
        CROSS JOIN LATERAL (
          SELECT d.delivery_id, d.sequence
          FROM deliveries d
          WHERE d.user_id = a.user_id AND d.channel = a.channel AND d.priority = p.priority AND d.status = 'QUEUED'
          ORDER BY d.sequence
          LIMIT 2
        ) AS one
      ) AS found
    ) AS head
    WHERE head.waiting IS NOT NULL;

  RETURN QUERY
  WITH first AS (
    SELECT f.n, f.delivery_id, f.more, tokens[f.n] AS token FROM unnest(places, heads, followed) AS f (n, delivery_id, more)
  ), locked AS (
    -- The status is looked at afterwards: here it would invite a plan that reads every mailbox.
    SELECT d.delivery_id, d.status, d.lease_token,
           extract(epoch FROM d.lease_until - clock_timestamp()) * 1000 AS held_ms
    FROM deliveries d
    WHERE d.delivery_id = ANY (heads)
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries d
    SET lease_token = first.token, lease_until = clock_timestamp() + lease_ms * interval '1 millisecond'
    FROM locked JOIN first USING (delivery_id)
    WHERE d.delivery_id = ANY (heads) AND d.delivery_id = locked.delivery_id
      AND locked.status = 'QUEUED' AND (locked.held_ms IS NULL OR locked.held_ms < 0)
    RETURNING d.*
  )
  SELECT first.n, first.more, d.delivery_id, d.request_id, d.notification_id::text, d.producer::text, d.user_id::text,
    d.notification_type::text, d.channel::text, d.priority::text, d.attempt, d.max_retries, d.rendered_content,
    d.created_at, coalesce(d.queued_at, d.created_at),
    (SELECT r.cancelled_at FROM notification_requests r WHERE r.request_id = d.request_id) IS NOT NULL,
    d.expires_at, d.lease_token, coalesce(locked.held_ms < 0, false), locked.lease_token,
    coalesce(ceil(locked.held_ms), 0)::int,
    -- With a limit, so that it is looked up for each: EXISTS would be answered out of a hash of the whole table.
    (SELECT true FROM delivery_targets t WHERE t.delivery_id = d.delivery_id AND t.error IS NULL LIMIT 1) IS NOT NULL,
    CASE
      WHEN d.channel = 'in_app' THEN
        jsonb_build_array(jsonb_build_object('id', d.channel, 'kind', d.channel, 'address', d.user_id))
      WHEN d.channel <> 'push' THEN
        jsonb_build_array(jsonb_build_object('id', d.channel, 'kind', d.channel, 'address', d.recipient_address))
      ELSE coalesce((
        SELECT jsonb_agg(jsonb_build_object(
                           'id', u.device_id, 'kind', u.platform, 'address', u.device_token)
                         ORDER BY u.device_id)
        FROM user_devices u
        WHERE u.user_id = d.user_id AND u.is_active
          AND NOT EXISTS (SELECT FROM delivery_targets t
                          WHERE t.delivery_id = d.delivery_id AND t.target = u.device_id)), '[]')
    END
  FROM first LEFT JOIN locked USING (delivery_id) LEFT JOIN claimed d USING (delivery_id);
END;
$$;
