-- name: open
-- Campaigns that somebody has to do something for: each producer's oldest first, then each one's second, so that many of one producer
-- keep nobody else's waiting. One that was scheduled is among them from its time on. What is to be withdrawn has places of its own, and
-- waits for none that is running.
-- In: $1 at most so many that are pending or running, $2 at most so many that are to be withdrawn
-- not null: campaignId, isWithdrawal
(SELECT c.campaign_id AS "campaignId", false AS "isWithdrawal"
 FROM (
   SELECT campaign_id, created_at, row_number() OVER (PARTITION BY producer ORDER BY created_at, campaign_id) AS nth
   FROM (
     SELECT campaign_id, created_at, producer FROM campaigns WHERE status IN ('PENDING', 'RUNNING')
     UNION ALL
     SELECT campaign_id, created_at, producer FROM campaigns WHERE status = 'SCHEDULED' AND schedule_at <= now()) AS due) AS c
 ORDER BY c.nth, c.created_at, c.campaign_id
 LIMIT $1)
UNION ALL
(SELECT c.campaign_id, true
 FROM (
   SELECT campaign_id, created_at, row_number() OVER (PARTITION BY producer ORDER BY created_at, campaign_id) AS nth
   FROM campaigns WHERE withdraw_below IS NOT NULL) AS c
 ORDER BY c.nth, c.created_at, c.campaign_id
 LIMIT $2);

-- name: start
-- Its audience is settled: users who sign up later are not in it.
-- In: $1 campaign
UPDATE campaigns SET status = 'RUNNING', started_at = coalesce(started_at, clock_timestamp())
WHERE campaign_id = $1 AND (status = 'PENDING' OR status = 'SCHEDULED' AND schedule_at <= clock_timestamp());

-- name: place
-- Where a running campaign is to be gone on with.
-- In: $1 campaign
-- Out: nothing where it is not running; "page" and "after" of its newest page, and "sentAt", when the newest one with users was stored;
--      NULL before the first
-- not null: startedAt
-- null: page, after, sentAt
-- type: priority = import('../types.js').Priority
-- type: variables = import('../templates/render.js').Variables
SELECT c.campaign_id AS "campaignId", c.producer, c.template_id AS "templateId", c.type, c.priority, c.filter, c.variables,
       c.rate_per_second AS "ratePerSecond", c.started_at AS "startedAt", c.correlation_id AS "correlationId",
       p.page, p.after, s.created_at AS "sentAt"
FROM campaigns c
LEFT JOIN LATERAL (
  SELECT newest.page, newest.after FROM campaign_pages newest
  WHERE newest.campaign_id = c.campaign_id ORDER BY newest.page DESC LIMIT 1) AS p ON true
LEFT JOIN LATERAL (
  SELECT newest.created_at FROM campaign_pages newest
  WHERE newest.campaign_id = c.campaign_id AND newest.request_id IS NOT NULL ORDER BY newest.page DESC LIMIT 1) AS s ON true
WHERE c.campaign_id = $1 AND c.status = 'RUNNING';

-- name: storePage
-- In and out: see accept_campaign_page
-- not null: stored
SELECT accept_campaign_page($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS stored;

-- name: finish
-- In: $1 campaign, $2 its last page, by a process that has come to the end
UPDATE campaigns SET status = 'COMPLETED', completed_at = clock_timestamp()
WHERE campaign_id = $1 AND status = 'RUNNING'
  AND NOT EXISTS (SELECT FROM campaign_pages p WHERE p.campaign_id = $1 AND p.page > $2);

-- name: fail
-- In: $1 campaign, $2 why
UPDATE campaigns SET status = 'FAILED', failure = $2, completed_at = clock_timestamp()
WHERE campaign_id = $1 AND status = 'RUNNING';

-- name: waiting
-- Of the newest page that was stored by an instant: how many deliveries it has to send, and how many of them wait in their mailboxes.
-- In: $1 campaign, $2 the instant
-- not null: queued, waiting
SELECT count(*)::int AS queued, count(p.delivery_id)::int AS waiting
FROM (
  SELECT former.request_id FROM campaign_pages former
  WHERE former.campaign_id = $1 AND former.created_at <= $2 AND former.request_id IS NOT NULL
  ORDER BY former.page DESC LIMIT 1) AS page
JOIN deliveries d ON d.request_id = page.request_id AND d.created_at >= uuid_earliest(page.request_id)
LEFT JOIN pending_deliveries p ON p.delivery_id = d.delivery_id AND p.status = 'QUEUED'
WHERE d.status NOT IN ('SUPPRESSED', 'SCHEDULED');

-- name: toWithdraw
-- The newest pages of a cancelled campaign of which something may still be unsent.
-- In: $1 campaign, $2 at most so many
SELECT p.page, p.request_id AS "requestId"
FROM campaigns c JOIN campaign_pages p ON p.campaign_id = c.campaign_id AND p.page < c.withdraw_below
WHERE c.campaign_id = $1
ORDER BY p.page DESC
LIMIT $2;

-- name: withdrawnFrom
-- In: $1 campaign, $2 the first page that is withdrawn; NULL: all are
UPDATE campaigns SET withdraw_below = $2 WHERE campaign_id = $1;
