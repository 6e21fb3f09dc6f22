-- name: lockLog
-- The append lock: until this transaction ends nobody else writes to the log, posts or follows.
SELECT pg_advisory_xact_lock(7236837468201)

-- name: readLog
-- $1 the marker's stream. Out: whether the demo is there, the log's last position (0: empty), and its last event's time
-- in milliseconds, rounded up.
-- not null: loaded, position, at
SELECT EXISTS (SELECT FROM known_streams(ARRAY[$1])) AS loaded,
  coalesce(max(global_position), 0) AS position,
  coalesce(ceil(extract(epoch FROM max(created_at)) * 1000), 0)::bigint AS at
FROM (SELECT global_position, created_at FROM events ORDER BY global_position DESC LIMIT 1) AS last

-- name: findStreams
-- $1 stream ids. Those that exist.
-- not null: stream_id
SELECT stream_id FROM known_streams($1) AS stream_id

-- name: findEdges
-- $1 user ids. The follows among them.
SELECT a.user_id AS follower, b.user_id AS followee
FROM follows f JOIN users a ON a.id = f.follower_id JOIN users b ON b.id = f.followee_id
WHERE a.user_id = ANY ($1) AND b.user_id = ANY ($1)

-- name: stageUsers
-- Users pass through this table, since some may be known already.
CREATE TEMPORARY TABLE demo_users (
  place int, user_id text, display_name text, avatar_url text, is_celebrity boolean, follower_count int,
  following_count int, last_seen_at timestamptz, created_at timestamptz
) ON COMMIT DROP

-- name: copyUsers
COPY demo_users FROM STDIN

-- name: mergeUsers
-- A user who exists already keeps the name that they chose; counts are added up. Surrogate ids follow the order of places.
INSERT INTO users AS u (user_id, display_name, avatar_url, is_verified, is_celebrity, has_pulled, follower_count,
  following_count, last_seen_at, created_at)
SELECT user_id, display_name, avatar_url, is_celebrity, is_celebrity, is_celebrity, follower_count, following_count,
  last_seen_at, created_at
FROM demo_users ORDER BY place
ON CONFLICT (user_id) DO UPDATE SET
  display_name = CASE WHEN u.display_name = u.user_id THEN excluded.display_name ELSE u.display_name END,
  avatar_url = coalesce(u.avatar_url, excluded.avatar_url),
  is_verified = u.is_verified OR excluded.is_verified,
  is_celebrity = u.is_celebrity OR excluded.is_celebrity,
  has_pulled = u.has_pulled OR excluded.has_pulled,
  follower_count = u.follower_count + excluded.follower_count,
  following_count = u.following_count + excluded.following_count,
  last_seen_at = greatest(u.last_seen_at, excluded.last_seen_at)

-- name: mergeCounts
-- As mergeUsers, where counts have changed since they stand apart.
UPDATE follow_counts c SET turn = c.turn + 1,
  follower_count = c.follower_count + d.follower_count, following_count = c.following_count + d.following_count
FROM demo_users d JOIN users u USING (user_id)
WHERE c.user_id = u.id

-- name: readUserIds
-- Surrogate ids in the order of places.
SELECT u.id FROM demo_users d JOIN users u USING (user_id) ORDER BY d.place

-- name: trustReferences
-- $1 'replica': foreign keys are not checked from here on, 'origin': they are again. Only where this role may choose;
-- elsewhere the load takes longer. The rows between refer to users of this very transaction.
SELECT set_config('session_replication_role', $1, true)
WHERE has_parameter_privilege('session_replication_role', 'SET')

-- name: copyFollows
COPY follows (follower_id, followee_id, created_at) FROM STDIN

-- name: copyPosts
COPY posts (post_id, author_id, content, visibility, distribution, position, version, like_count, comment_count,
  share_count, created_at) FROM STDIN

-- name: copyEvents
COPY events (global_position, stream_id, stream_position, event_type, data, metadata, created_at) FROM STDIN

-- name: passDemo
-- $1 the log's last position before the demo, $2 after it. The demo counts as processed: its posts are not fanned out
-- (a feed is built when it is read), nobody is notified of its follows and orders, no worker takes up its transfers, no webhook
-- gets its events. A projector that is behind works through the demo's events too.
WITH passed AS (
  SELECT name FROM unnest(ARRAY['feed-fan-out', 'feed-notices', 'order-messages', 'transfer-process', 'webhook-events']) AS name
  WHERE $1::bigint = 0 OR EXISTS (SELECT FROM projectors WHERE projector_name = name)
), known AS (
  INSERT INTO projectors (projector_name) SELECT name FROM passed ON CONFLICT DO NOTHING
), added AS (
  INSERT INTO projector_positions (projector_name, position)
  SELECT name, $2 FROM passed WHERE projector_position(name) IS NULL
)
UPDATE projector_positions SET position = $2, moved_at = now()
WHERE projector_name = ANY (ARRAY(SELECT name FROM passed)) AND position = $1

-- name: stageStock
CREATE TEMPORARY TABLE demo_stock (LIKE product_stock INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copyStock
COPY demo_stock (product_id, name, unit_price, on_hand, reserved) FROM STDIN

-- name: mergeStock
-- A row that is there already is somebody's own.
INSERT INTO product_stock SELECT * FROM demo_stock
WHERE NOT EXISTS (SELECT FROM product_stock p WHERE p.product_id = demo_stock.product_id)

-- name: stageCredit
CREATE TEMPORARY TABLE demo_credit (LIKE customer_credit INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copyCredit
COPY demo_credit (customer_id, user_id, is_active, credit_limit, outstanding) FROM STDIN

-- name: mergeCredit
INSERT INTO customer_credit SELECT * FROM demo_credit
WHERE NOT EXISTS (SELECT FROM customer_credit c WHERE c.customer_id = demo_credit.customer_id)

-- name: forgetCreditTotals
-- They are summed again when they are needed.
DELETE FROM customer_credit_totals WHERE user_id IN (SELECT user_id FROM demo_credit)

-- name: stageSettings
CREATE TEMPORARY TABLE demo_settings (LIKE user_notification_settings INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copySettings
COPY demo_settings (user_id, email, phone, timezone, language, quiet_hours_start, quiet_hours_end, marketing_opt_in,
  digest_frequency) FROM STDIN

-- name: mergeSettings
-- Settings that somebody made are left alone; so are devices and templates.
INSERT INTO user_notification_settings SELECT * FROM demo_settings ON CONFLICT DO NOTHING

-- name: stageSuppressions
CREATE TEMPORARY TABLE demo_suppressions (channel text, address text, cause text, created_at timestamptz) ON COMMIT DROP

-- name: copySuppressions
COPY demo_suppressions FROM STDIN

-- name: mergeSuppressions
INSERT INTO address_suppressions (suppression_id, channel, address, cause, created_at)
SELECT new_uuid_v7(created_at), channel, suppressible_address(channel, address), cause, created_at FROM demo_suppressions
ON CONFLICT DO NOTHING

-- name: stageDevices
CREATE TEMPORARY TABLE demo_devices (LIKE user_devices INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copyDevices
COPY demo_devices (user_id, device_id, platform, device_token, app_version, last_seen_at) FROM STDIN

-- name: mergeDevices
INSERT INTO user_devices SELECT * FROM demo_devices ON CONFLICT DO NOTHING

-- name: stageAttributeTypes
CREATE TEMPORARY TABLE demo_attribute_types (LIKE user_attribute_types INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copyAttributeTypes
COPY demo_attribute_types (name, type, created_by) FROM STDIN

-- name: mergeAttributeTypes
INSERT INTO user_attribute_types SELECT * FROM demo_attribute_types ON CONFLICT DO NOTHING

-- name: stageAttributes
CREATE TEMPORARY TABLE demo_attributes (LIKE user_attributes INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copyAttributes
COPY demo_attributes (user_id, attributes) FROM STDIN

-- name: mergeAttributes
-- Attributes that somebody set are left alone; where one of these names has another type already, none is loaded.
INSERT INTO user_attributes SELECT * FROM demo_attributes
WHERE NOT EXISTS (SELECT FROM user_attribute_types t JOIN demo_attribute_types d USING (name) WHERE t.type <> d.type)
ON CONFLICT DO NOTHING

-- name: stageTemplates
CREATE TEMPORARY TABLE demo_templates (LIKE notification_templates INCLUDING DEFAULTS) ON COMMIT DROP

-- name: copyTemplates
COPY demo_templates (template_id, notification_type, channel, language, subject, title, body, html_body, image_url,
  action_url, variables, created_by, syntax) FROM STDIN

-- name: mergeTemplates
INSERT INTO notification_templates SELECT * FROM demo_templates ON CONFLICT DO NOTHING

-- name: addCampaigns
-- $1 campaigns as JSON, each with the page that it has come to. A producer's own campaign of the same batch id stays.
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1) AS c ("campaignId" uuid, producer text, "batchId" text, "templateId" text, type text,
    filter text, variables jsonb, "estimatedCount" int, "maxPerSecond" int, "windowHours" int, "ratePerSecond" float8,
    "rateRaised" boolean, status text, "createdAt" timestamptz, "startedAt" timestamptz, "completedAt" timestamptz, page jsonb)
), added AS (
  INSERT INTO campaigns (campaign_id, producer, batch_id, body_hash, template_id, type, priority, filter, variables, estimated_count,
    max_per_second, window_hours, rate_per_second, rate_raised, status, correlation_id, created_at, started_at, completed_at)
  SELECT "campaignId", producer, "batchId", sha256('demo'), "templateId", type, 'low', filter, variables, "estimatedCount", "maxPerSecond",
    "windowHours", "ratePerSecond", "rateRaised", status, 'demo', "createdAt", "startedAt", "completedAt"
  FROM given
  ON CONFLICT DO NOTHING
  RETURNING campaign_id
)
INSERT INTO campaign_pages (campaign_id, page, after, matched, queued, suppressed, created_at)
SELECT added.campaign_id, 1, page ->> 'after', (page ->> 'matched')::int, (page ->> 'queued')::int, (page ->> 'suppressed')::int,
  (page ->> 'at')::timestamptz
FROM added JOIN given ON given."campaignId" = added.campaign_id
RETURNING campaign_id AS "campaignId"

-- name: copyWebhooks
COPY webhooks (webhook_id, owner_id, url, event_types, notification_types, follows_lifecycle, follows_log, secret, disabled_reason,
  is_active, active_since, created_at) FROM STDIN

-- name: copyWebhookDeliveries
COPY webhook_deliveries (delivery_id, webhook_id, subject, number, event_type, data, happened_at, status, attempts, last_status_code,
  last_answer, last_error, created_at, delivered_at) FROM STDIN

-- name: copyWebhookBacklogs
COPY webhook_backlogs (webhook_id, subject, due_at, attempts, failing_since) FROM STDIN

-- name: acceptNotifications
-- $1 a JSON array of requests: see accept_notifications. Those whose ids are taken stay as they are.
SELECT accept_notifications($1::jsonb, interval '1 day')

-- name: addDeadLetters
-- $1 a JSON array of the deliveries that were given up, each accepted before: those whose ids were taken are no deliveries.
INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
SELECT d.delivery_id, d.notification_id, d.user_id, d.channel, l.error, l.attempts, d.created_at, d.created_at
FROM jsonb_to_recordset($1::jsonb) AS l ("deliveryId" uuid, error text, attempts int)
JOIN deliveries d ON d.delivery_id = l."deliveryId" AND d.created_at >= uuid_earliest(l."deliveryId")

-- name: addAlerts
-- $1 a JSON array of alerts
INSERT INTO alerts (alert_id, name, scope, severity, message, value, threshold, raised_at, resolved_at, change)
SELECT a."alertId", a.name, a.scope, a.severity, a.message, a.value, a.threshold, a."raisedAt", a."resolvedAt",
  (SELECT coalesce(max(change), 0) FROM alerts) + row_number() OVER (ORDER BY a."alertId")
FROM jsonb_to_recordset($1::jsonb) AS a ("alertId" uuid, name text, scope text, severity text, message text, value float8,
  threshold float8, "raisedAt" timestamptz, "resolvedAt" timestamptz)
ON CONFLICT DO NOTHING

-- name: addSchedules
-- $1 a JSON array of recurring notifications. A producer's own of the same id stays.
INSERT INTO notification_schedules (series_id, producer, schedule_id, rrule, timezone, starts_at, request, status, next_at, due_at,
  occurrences, correlation_id, created_at, body_hash, ended_at)
SELECT s."seriesId", s.producer, s."scheduleId", s.rrule, s.timezone, s."startsAt", s.request, s.status, s."nextAt", s."dueAt",
  s.occurrences, 'demo', s."createdAt", sha256('demo'), s."endedAt"
FROM jsonb_to_recordset($1::jsonb) AS s ("seriesId" uuid, producer text, "scheduleId" text, rrule text, timezone text,
  "startsAt" timestamptz, request jsonb, status text, "nextAt" timestamptz, "dueAt" timestamptz, occurrences int, "createdAt" timestamptz,
  "endedAt" timestamptz)
ON CONFLICT DO NOTHING

-- name: putReactions
-- $1 a JSON array of groups of notifications, each with its item of an inbox. An inbox that has something already is left alone.
WITH given AS (
  SELECT g.*, to_timestamp(g."openedAt" / 1000.0) AS opened_at, to_timestamp(g."closesAt" / 1000.0) AS closes_at,
         to_timestamp(g."sentAt" / 1000.0) AS sent_at, jsonb_array_length(g.actors) AS people
  FROM jsonb_to_recordset($1::jsonb) AS g ("groupId" uuid, "userId" text, producer text, type text, key text, "openedAt" float8,
                                           "closesAt" float8, "sentAt" float8, actors jsonb, title text, body text, "actionUrl" text)
  WHERE NOT EXISTS (SELECT FROM inboxes i WHERE i.user_id = g."userId")
), opened AS (
  INSERT INTO open_notification_groups (user_id, producer, notification_type, group_key, group_id, opened_at, closes_at)
  SELECT "userId", producer, type, key, "groupId", opened_at, closes_at FROM given
), made AS (
  INSERT INTO notification_groups (group_id, closes_at, actor_count, last_nth) SELECT "groupId", closes_at, people, people FROM given
), noted AS (
  INSERT INTO notification_group_summaries (group_id, channel, summary)
  SELECT "groupId", 'in_app', jsonb_build_object('deliveryId', "groupId", 'at', "sentAt", 'count', people, 'nth', people, 'revision', 1) FROM given
), joined AS (
  INSERT INTO notification_group_actors (group_id, actor_id, actor_name, nth, affirmed_at)
  SELECT given."groupId", a.actor ->> 'actorId', a.actor ->> 'actorName', a.nth, given.sent_at
  FROM given CROSS JOIN jsonb_array_elements(given.actors) WITH ORDINALITY AS a (actor, nth)
), put AS (
  INSERT INTO inbox_entries (item_id, user_id, notification_type, title, body, action_url, created_at, change, delivery_id, revision, actor_count)
  SELECT "groupId", "userId", type, title, body, "actionUrl", sent_at, 1, "groupId", 1, people FROM given
)
INSERT INTO inboxes (user_id, last_change) SELECT "userId", 1 FROM given

-- name: analyze
ANALYZE users, follows, posts, events, product_stock, customer_credit, user_notification_settings, address_suppressions, user_devices,
  user_attributes, user_attribute_types, notification_templates
