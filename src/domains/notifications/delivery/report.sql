-- name: lockDeliveries
-- Holds the rows of deliveries, in one order, so that no two callers wait for each other in a circle.
-- In: $1 delivery ids
-- Out: those that there are; "attempt": retries made so far; "queuedAt": when it came into its mailbox, retries do not count
-- not null: queuedAt
-- type: channel = import('../types.js').Channel
-- type: priority = import('../types.js').Priority
-- type: status = import('../types.js').DeliveryStatus
-- type: content = import('../providers/provider.js').RenderedContent
SELECT delivery_id AS "deliveryId", request_id AS "requestId", notification_id AS "notificationId", producer,
  user_id AS "userId", notification_type AS "notificationType", channel, priority, status, attempt,
  max_retries AS "maxRetries", rendered_content AS content, created_at AS "createdAt",
  coalesce(queued_at, created_at) AS "queuedAt", expires_at AS "expiresAt",
  recipient_address AS address
FROM deliveries
WHERE delivery_id = ANY ($1::uuid[]) AND created_at >= (SELECT uuids_earliest($1))
ORDER BY delivery_id
FOR UPDATE;

-- name: lockLeases
-- Has nobody lease held deliveries until the transaction ends.
-- In: $1 deliveries
-- Out: those of which a call's answer is not recorded yet, though its lease may have ended; "isLeased": it has not, somebody is
--      just calling the provider
-- not null: isLeased
SELECT delivery_id AS "deliveryId", lease_until > clock_timestamp() AS "isLeased"
FROM (
  SELECT delivery_id, lease_token, lease_until
  FROM pending_deliveries
  WHERE delivery_id = ANY ($1::uuid[])
  ORDER BY delivery_id
  FOR UPDATE
) AS held
WHERE lease_token IS NOT NULL;

-- name: pastOf
-- What was recorded of deliveries before. Ask once their rows are held: then nobody adds to it. The statement that waits for
-- the rows would read other tables as they were before it waited.
-- In: $1 delivery ids and $2 their channels (two arrays of one length), $3 an instant before which none of them existed (spares
--     the older partitions)
-- Out: a row for each; "calledAt": when its last call to a provider was recorded; "providerId": the provider's name for what
--      it took last
-- not null: deliveryId, engagements
-- type: engagements = readonly { readonly event: import('../types.js').LifecycleEvent; readonly detail: import('../types.js').Detail | null }[]
SELECT d.delivery_id AS "deliveryId", e."calledAt", e.engagements,
  (SELECT o.provider_id FROM target_outcomes o
   WHERE o.delivery_id = d.delivery_id AND o.updated_at >= (SELECT uuids_earliest($1)) AND o.target = d.channel) AS "providerId"
FROM unnest($1::uuid[], $2::text[]) AS d (delivery_id, channel)
CROSS JOIN LATERAL (
  SELECT max(at) FILTER (WHERE event IN ('SENT', 'FAILED')) AS "calledAt",
    coalesce(jsonb_agg(jsonb_build_object('event', event, 'detail', detail))
             FILTER (WHERE event IN ('OPENED', 'CLICKED', 'DISMISSED', 'UNSUBSCRIBED')), '[]') AS engagements
  FROM delivery_events
  WHERE delivery_id = d.delivery_id AND at >= $3
) AS e;

-- name: deferReports
-- Keeps reports until the answer of a call is recorded; a repeat is kept once.
-- In: $1 held deliveries, $2 their reports as JSON arrays (two arrays of one length)
UPDATE deliveries d SET early_reports = coalesce(d.early_reports, '[]') || e.reports
FROM unnest($1::uuid[], $2::jsonb[]) AS e (delivery_id, reports)
WHERE d.delivery_id = ANY ($1::uuid[]) AND d.created_at >= (SELECT uuids_earliest($1)) AND d.delivery_id = e.delivery_id
  AND NOT coalesce(d.early_reports, '[]') @> e.reports;

-- name: applyAddressEvents
-- In: $1 a JSON array of what was learned of addresses; see apply_address_events
SELECT apply_address_events($1::jsonb);

-- name: switchOff
-- Users want no more of a type on a channel. What somebody chose after that instant stands.
-- In: $1 users, $2 types, $3 channels, $4 instants (four arrays of one length, no preference twice)
-- Out: the users whose preference changed
INSERT INTO user_notification_prefs AS p (user_id, notification_type, channel, enabled, unsubscribed, updated_at)
SELECT u.user_id, u.type, u.channel, false, true, u.at
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS u (user_id, type, channel, at)
ORDER BY u.user_id, u.type, u.channel
ON CONFLICT (user_id, notification_type, channel) DO UPDATE
  SET enabled = false, unsubscribed = true, updated_at = excluded.updated_at
  WHERE p.enabled AND p.updated_at <= excluded.updated_at
RETURNING p.user_id AS "userId";
