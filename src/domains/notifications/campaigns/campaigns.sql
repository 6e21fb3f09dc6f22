-- Campaigns as the API shows them, and what changes their status. Lists are newest first; the other way, nearest to the cursor first.

-- part: campaign
-- type: priority = import('../types.js').Priority
-- type: status = import('./campaign.js').CampaignStatus
-- type: variables = import('../templates/render.js').Variables
-- not null: matched, queued, suppressed
SELECT c.campaign_id AS "campaignId", c.batch_id AS "batchId", c.producer, c.template_id AS "templateId",
       c.type AS "notificationType", c.priority, c.filter, c.variables, c.status, c.failure,
       coalesce(p.matched, 0) AS matched, coalesce(p.queued, 0) AS queued, coalesce(p.suppressed, 0) AS suppressed,
       c.rate_per_second AS "ratePerSecond", c.rate_raised AS "rateRaised", c.estimated_count AS "estimatedCount",
       c.max_per_second AS "maxPerSecond", c.window_hours AS "windowHours", c.schedule_at AS "scheduleAt", c.created_at AS "createdAt",
       c.started_at AS "startedAt", c.completed_at AS "completedAt"
FROM campaigns c
LEFT JOIN LATERAL (
  SELECT newest.matched, newest.queued, newest.suppressed FROM campaign_pages newest
  WHERE newest.campaign_id = c.campaign_id ORDER BY newest.page DESC LIMIT 1) AS p ON true

-- name: byIds
-- In: $1 campaigns
{campaign}
WHERE c.campaign_id = ANY ($1::uuid[]);

-- name: named
-- The campaign of a batch id: a producer's own; where $3 anybody's, their own first, then the newest.
-- not null: campaignId, bodyHash
-- In: $1 batch id, $2 producer, $3 whether anybody's may be meant
SELECT campaign_id AS "campaignId", body_hash AS "bodyHash" FROM (
  (SELECT campaign_id, body_hash, true AS own, created_at FROM campaigns WHERE producer = $2 AND batch_id = $1)
  UNION ALL
  (SELECT campaign_id, body_hash, false, created_at FROM campaigns WHERE $3::boolean AND batch_id = $1
   ORDER BY created_at DESC LIMIT 1)
) AS found
ORDER BY own DESC
LIMIT 1;

-- name: lockProducer
-- Until the transaction ends nobody else adds a campaign of this producer.
-- In: $1 producer
SELECT pg_advisory_xact_lock(hashtextextended('campaigns of ' || $1, 0));

-- name: insert
-- In: see the columns; $17 campaigns that are not over that the producer may have
-- Out: a row where it was inserted; nothing where the producer has a campaign of this batch id, or as many that are not over
INSERT INTO campaigns (campaign_id, producer, batch_id, body_hash, template_id, type, priority, filter, estimated_count,
                       max_per_second, window_hours, rate_per_second, rate_raised, status, correlation_id, variables, schedule_at)
SELECT $1::uuid, $2::text, $3::text, decode($4, 'hex'), $5, $6, $7, $8, $9::int, $10::int, $11::int, $12::float8, $13::boolean,
       CASE WHEN $16::timestamptz > clock_timestamp() THEN 'SCHEDULED' ELSE 'PENDING' END, $14, $15::jsonb, $16
WHERE (SELECT count(*) FROM (
  (SELECT FROM campaigns WHERE producer = $2::text AND status IN ('PENDING', 'RUNNING', 'PAUSED') LIMIT $17)
  UNION ALL
  (SELECT FROM campaigns WHERE producer = $2::text AND status = 'SCHEDULED' LIMIT $17)) AS open) < $17
ON CONFLICT (producer, batch_id) DO NOTHING
RETURNING campaign_id AS "campaignId";

-- name: countOpen
-- How many campaigns of a producer are not over.
-- In: $1 producer, $2 no more are counted
-- not null: open
SELECT count(*)::int AS open FROM (
  (SELECT FROM campaigns WHERE producer = $1 AND status IN ('PENDING', 'RUNNING', 'PAUSED') LIMIT $2)
  UNION ALL
  (SELECT FROM campaigns WHERE producer = $1 AND status = 'SCHEDULED' LIMIT $2)) AS open;

-- name: lock
-- A process that stores a page of it is done with that, or waits for what is done here.
-- In: $1 campaign
-- not null: hasStarted, isAhead
-- type: status = import('./campaign.js').CampaignStatus
SELECT status, started_at IS NOT NULL AS "hasStarted", coalesce(schedule_at > clock_timestamp(), false) AS "isAhead"
FROM campaigns WHERE campaign_id = $1 FOR UPDATE;

-- name: setStatus
-- In: $1 campaign, $2 the status; one that is cancelled is over, and all of its pages are to be withdrawn
UPDATE campaigns SET status = $2::text,
  completed_at = CASE WHEN $2::text = 'CANCELLED' THEN clock_timestamp() END,
  withdraw_below = CASE WHEN $2::text = 'CANCELLED' THEN
    (SELECT p.page + 1 FROM campaign_pages p WHERE p.campaign_id = $1 ORDER BY p.page DESC LIMIT 1) END
WHERE campaign_id = $1;

-- name: ofAllForward
-- In: $1 and $2 the cursor's instant and campaign, $3 at most so many
{campaign}
WHERE (c.created_at, c.campaign_id) < ($1::timestamptz, $2::uuid)
ORDER BY c.created_at DESC, c.campaign_id DESC
LIMIT $3;

-- name: ofAllBackward
{campaign}
WHERE (c.created_at, c.campaign_id) > ($1::timestamptz, $2::uuid)
ORDER BY c.created_at, c.campaign_id
LIMIT $3;

-- name: ofProducerForward
-- In: as ofAllForward, $4 producer
{campaign}
WHERE c.producer = $4 AND (c.created_at, c.campaign_id) < ($1::timestamptz, $2::uuid)
ORDER BY c.created_at DESC, c.campaign_id DESC
LIMIT $3;

-- name: ofProducerBackward
{campaign}
WHERE c.producer = $4 AND (c.created_at, c.campaign_id) > ($1::timestamptz, $2::uuid)
ORDER BY c.created_at, c.campaign_id
LIMIT $3;
