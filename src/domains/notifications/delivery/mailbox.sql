-- name: claim
-- The head of a mailbox, leased to whoever asks. It costs one look at the index for each priority, however much waits.
-- In: $1 user, $2 channel, $3 priorities (most urgent first), $4 lease token, $5 milliseconds of the lease
-- Out: nothing where the mailbox is empty. Where somebody else holds its head: a row with "heldBy", his lease's
--      token, and "heldMs", how long it lasts. Else the delivery, with both NULL.
WITH first AS (
  SELECT one.delivery_id
  FROM unnest($3::text[]) WITH ORDINALITY AS p (priority, rank)
  CROSS JOIN LATERAL (
    SELECT d.delivery_id
    FROM deliveries d
    WHERE d.user_id = $1 AND d.channel = $2 AND d.priority = p.priority AND d.status = 'QUEUED'
    ORDER BY d.sequence
    LIMIT 1
  ) AS one
  ORDER BY p.rank
  LIMIT 1
), head AS (
  SELECT delivery_id, lease_token, extract(epoch FROM lease_until - clock_timestamp()) * 1000 AS held_ms
  FROM deliveries
  WHERE delivery_id = (SELECT delivery_id FROM first) AND status = 'QUEUED'
  FOR UPDATE
), claimed AS (
  UPDATE deliveries d
  SET lease_token = $4, lease_until = clock_timestamp() + $5 * interval '1 millisecond'
  FROM head
  WHERE d.delivery_id = head.delivery_id AND (head.held_ms IS NULL OR head.held_ms < 0)
  RETURNING d.*
)
SELECT d.delivery_id AS "deliveryId", d.request_id AS "requestId", d.notification_id AS "notificationId",
  d.user_id AS "userId", d.notification_type AS "notificationType", d.channel, d.priority, d.attempt,
  d.max_retries AS "maxRetries", d.rendered_content AS content, d.created_at AS "createdAt",
  d.expires_at AS "expiresAt", d.lease_token AS "leaseToken",
  CASE WHEN d.delivery_id IS NULL THEN head.lease_token END AS "heldBy",
  CASE WHEN d.delivery_id IS NULL THEN ceil(head.held_ms)::int END AS "heldMs",
  EXISTS (SELECT FROM delivery_targets t WHERE t.delivery_id = d.delivery_id AND t.error IS NULL) AS "reachedSome",
  CASE
    WHEN d.channel <> 'push' THEN
      jsonb_build_array(jsonb_build_object('id', d.channel, 'kind', d.channel, 'address', d.recipient_address))
    ELSE coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', u.device_id, 'kind', u.platform, 'address', u.device_token)
                       ORDER BY u.device_id)
      FROM user_devices u
      WHERE u.user_id = d.user_id AND u.is_active AND u.platform IN ('ios', 'android')
        AND NOT EXISTS (SELECT FROM delivery_targets t
                        WHERE t.delivery_id = d.delivery_id AND t.target = u.device_id)), '[]')
  END AS targets
FROM head LEFT JOIN claimed d USING (delivery_id);

-- name: apply
-- Applies transitions (see transition.ts), each only if its lease still stands.
-- In: $1 a JSON array of transitions
-- Out: one row for each that was applied: its delivery and request
WITH wanted AS (
  SELECT t, (t ->> 'deliveryId')::uuid AS delivery_id, (t ->> 'leaseToken')::uuid AS lease_token,
         (t ->> 'at')::timestamptz AS at, n
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS e (t, n)
), applied AS (
  UPDATE deliveries d
  SET status = w.t ->> 'status', attempt = (w.t ->> 'attempt')::int, last_error = coalesce(w.t ->> 'lastError', d.last_error),
      next_retry_at = (w.t ->> 'nextRetryAt')::timestamptz, lease_token = NULL, lease_until = NULL
  FROM wanted w
  WHERE d.delivery_id = w.delivery_id
    AND (w.lease_token IS NULL OR (d.lease_token = w.lease_token AND d.status = 'QUEUED'))
  RETURNING d.delivery_id, d.request_id, d.notification_id, d.user_id, d.channel, d.created_at, w.t, w.at, w.n
), told AS (
  SELECT a.request_id, a.delivery_id, a.at, event,
         row_number() OVER (PARTITION BY a.request_id ORDER BY a.n, m) AS nth,
         count(*) OVER (PARTITION BY a.request_id) AS total
  FROM applied a CROSS JOIN LATERAL jsonb_array_elements(a.t -> 'events') WITH ORDINALITY AS e (event, m)
), numbered AS (
  UPDATE notification_requests r
  SET last_event = r.last_event + c.total
  FROM (SELECT DISTINCT request_id, total FROM told) c
  WHERE r.request_id = c.request_id
  RETURNING r.request_id, r.last_event
), events AS (
  INSERT INTO delivery_events (request_id, number, delivery_id, event, status, detail, at)
  SELECT told.request_id, numbered.last_event - told.total + told.nth, told.delivery_id, event ->> 'event',
         event ->> 'status', event -> 'detail', told.at
  FROM told JOIN numbered USING (request_id)
), targets AS (
  INSERT INTO delivery_targets (delivery_id, target, error, provider_id, updated_at)
  SELECT a.delivery_id, f ->> 'target', f ->> 'error', f ->> 'providerId', a.at
  FROM applied a CROSS JOIN LATERAL jsonb_array_elements(a.t -> 'targets') AS f
  ON CONFLICT (delivery_id, target) DO UPDATE
    SET error = excluded.error, provider_id = coalesce(excluded.provider_id, delivery_targets.provider_id),
        updated_at = excluded.updated_at
), removed AS (
  DELETE FROM user_devices u
  USING applied a CROSS JOIN LATERAL jsonb_array_elements(a.t -> 'deadDevices') AS f
  WHERE u.user_id = a.user_id AND u.device_id = f ->> 'deviceId' AND u.device_token = f ->> 'token'
    AND u.last_seen_at <= (f ->> 'since')::timestamptz
), failed AS (
  INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
  SELECT a.delivery_id, a.notification_id, a.user_id, a.channel, a.t -> 'failure' ->> 'error',
         (a.t -> 'failure' ->> 'attempts')::int, a.created_at, a.at
  FROM applied a
  WHERE jsonb_typeof(a.t -> 'failure') = 'object'
  ON CONFLICT (delivery_id) DO UPDATE
    SET error = excluded.error, attempts = excluded.attempts, failed_at = excluded.failed_at
)
SELECT delivery_id AS "deliveryId", request_id AS "requestId" FROM applied;
