-- name: active
-- In: $1 to go on after, $2 at most so many
-- Out: active webhooks, and whether each is paused
-- not null: isPaused
SELECT webhook_id AS "webhookId", coalesce(paused_until > now(), false) AS "isPaused"
FROM webhooks
WHERE is_active AND deleted_at IS NULL AND webhook_id > $1
ORDER BY webhook_id
LIMIT $2;

-- name: due
-- In: $1 webhooks and $2 for each the milliseconds to look back, NULL for everything (two arrays of one length)
-- Out: those for which an event is due
-- not null: webhookId
SELECT w.webhook_id AS "webhookId"
FROM unnest($1::uuid[], $2::float8[]) AS w (webhook_id, back)
CROSS JOIN LATERAL (
  SELECT FROM webhook_backlogs b
  WHERE b.webhook_id = w.webhook_id AND b.due_at <= now()
    AND b.due_at >= coalesce(now() - w.back * interval '1 millisecond', '-infinity')
  LIMIT 1) AS b;

-- name: receiver
-- Where events of a webhook go now; nothing where none may be sent.
-- In: $1 webhook
SELECT webhook_id AS "webhookId", url, secret, CASE WHEN former_until > now() THEN former_secret END AS "formerSecret", pauses,
  active_since AS "activeSince", failing_since AS "failingSince"
FROM webhooks
WHERE webhook_id = $1 AND is_active AND deleted_at IS NULL AND (paused_until IS NULL OR paused_until <= now());

-- name: failureState
-- In: $1 webhook, $2 its `active_since` when an attempt began
-- Out: nothing where it is not active, or has started afresh
SELECT pauses, failing_since AS "failingSince" FROM webhooks
WHERE webhook_id = $1 AND is_active AND deleted_at IS NULL AND active_since = $2;

-- name: claim
-- Takes subjects that are due, the longest overdue first, for as long as a lease lasts.
-- In: $1 webhook, $2 at most so many, $3 milliseconds to look back, NULL for everything, $4 a lease in ms, $5 its token
-- By place, since the rows are locked: see the outbox.
UPDATE webhook_backlogs SET lease_token = $5, due_at = now() + $4::float8 * interval '1 millisecond'
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_backlogs
  WHERE webhook_id = $1 AND due_at <= now() AND due_at >= coalesce(now() - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING subject, additions, attempts, failing_since AS "failingSince";

-- name: waiting
-- The next events of subjects, in order.
-- In: $1 webhook, $2 subjects, $3 at most so many of each
-- not null: subject
SELECT s.subject, d.delivery_id AS "deliveryId", d.event_type AS "eventType", d.data, d.happened_at AS "happenedAt"
FROM unnest($2::text[]) AS s (subject)
CROSS JOIN LATERAL (
  SELECT * FROM webhook_deliveries w
  WHERE w.webhook_id = $1 AND w.subject = s.subject AND w.status <> 'DELIVERED'
  ORDER BY w.number
  LIMIT $3) AS d
ORDER BY s.subject, d.number;

-- name: record
-- How attempts ended. What another worker has delivered meanwhile has not failed.
-- In: arrays of one length: $1 deliveries, $2 whether the receiver took them, $3 statuses, $4 answers, $5 errors, $6 milliseconds to
--     the next attempt; NULL where there is none
WITH held AS MATERIALIZED (
  SELECT delivery_id FROM webhook_deliveries WHERE delivery_id = ANY ($1::uuid[]) ORDER BY delivery_id FOR UPDATE
)
UPDATE webhook_deliveries d SET
  status = CASE WHEN a.taken THEN 'DELIVERED' ELSE 'FAILED' END, attempts = d.attempts + 1,
  last_status_code = a.status_code, last_answer = a.answer, last_error = a.error,
  delivered_at = CASE WHEN a.taken THEN now() ELSE d.delivered_at END,
  next_attempt_at = now() + a.next_ms * interval '1 millisecond'
FROM unnest($1::uuid[], $2::boolean[], $3::int[], $4::text[], $5::text[], $6::float8[])
  AS a (delivery_id, taken, status_code, answer, error, next_ms)
WHERE d.delivery_id = ANY (ARRAY(SELECT delivery_id FROM held)) AND d.delivery_id = a.delivery_id
  AND (a.taken OR d.status <> 'DELIVERED');

-- name: settle
-- Ends leases. A subject of which nothing waits goes, unless events were added that its holder has not seen.
-- In: $1 webhook, $2 the lease's token; arrays of one length: $3 subjects, $4 `additions` as they were claimed where nothing is left,
--     else NULL, $5 milliseconds until it is due, $6 attempts of the next event that failed, $7 since when
WITH held AS MATERIALIZED (
  SELECT subject FROM webhook_backlogs WHERE webhook_id = $1 AND subject = ANY ($3::text[]) ORDER BY subject FOR UPDATE
), given AS MATERIALIZED (
  SELECT * FROM unnest($3::text[], $4::int[], $5::float8[], $6::int[], $7::timestamptz[])
    AS g (subject, additions, due_ms, attempts, failing_since)
), gone AS (
  DELETE FROM webhook_backlogs b USING given g
  WHERE b.webhook_id = $1 AND b.subject = ANY (ARRAY(SELECT subject FROM held)) AND b.subject = g.subject
    AND b.lease_token = $2 AND b.additions = g.additions
  RETURNING b.subject
)
UPDATE webhook_backlogs b SET lease_token = NULL, due_at = now() + g.due_ms * interval '1 millisecond', attempts = g.attempts,
  failing_since = g.failing_since
FROM given g
WHERE b.webhook_id = $1 AND b.subject = ANY (ARRAY(SELECT subject FROM held)) AND b.subject = g.subject AND b.lease_token = $2
  AND b.subject <> ALL (ARRAY(SELECT subject FROM gone));

-- name: pause
-- In: $1 webhook, $2 milliseconds, $3 now, $4 its `active_since` and $5 its `pauses` when its receiver failed
UPDATE webhooks SET pauses = pauses + 1, paused_until = now() + $2::float8 * interval '1 millisecond',
  failing_since = coalesce(failing_since, $3)
WHERE webhook_id = $1 AND is_active AND active_since = $4 AND pauses = $5;

-- name: goOn
-- A receiver takes events again.
-- In: $1 webhook, $2 its `active_since` when the attempt began
UPDATE webhooks SET pauses = 0, paused_until = NULL, failing_since = NULL WHERE webhook_id = $1 AND pauses > 0 AND active_since = $2;
