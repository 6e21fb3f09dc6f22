-- part: schedule
       series_id AS "seriesId", producer, schedule_id AS "scheduleId", rrule, timezone, starts_at AS "startsAt", request, status,
       next_at AS "nextAt", due_at AS "dueAt", occurrences, last_notification_id AS "lastNotificationId", last_error AS "lastError",
       correlation_id AS "correlationId", created_at AS "createdAt", body_hash AS "bodyHash"

-- name: lockProducer
-- Until the transaction ends nobody else adds a schedule of this producer.
-- In: $1 producer
SELECT pg_advisory_xact_lock(hashtextextended('schedules of ' || $1, 0));

-- name: create
-- In: $1 series, $2 producer, $3 schedule, $4 rule, $5 zone or NULL, $6 start, $7 request, $8 next, $9 due, $10 correlation id, $11 now,
--     $12 hash of what was asked for, $13 so many of a producer at most that are not over
-- Out: nothing where the id is taken, or the producer has as many
INSERT INTO notification_schedules (series_id, producer, schedule_id, rrule, timezone, starts_at, request, status, next_at, due_at,
                                    correlation_id, created_at, body_hash)
SELECT $1::uuid, $2::text, $3::text, $4, $5, $6, $7::jsonb, 'ACTIVE', $8, $9, $10, $11, decode($12, 'hex')
WHERE (SELECT count(*) FROM (
  SELECT FROM notification_schedules WHERE producer = $2::text AND status IN ('ACTIVE', 'PAUSED') LIMIT $13) AS open) < $13
ON CONFLICT DO NOTHING
RETURNING series_id AS "seriesId";

-- name: lock
-- In: $1 series
-- type: request = import('./schedules.js').Repeated
-- type: status = import('./schedules.js').ScheduleStatus
SELECT
{schedule}
FROM notification_schedules WHERE series_id = $1 FOR UPDATE;

-- name: byIds
-- In: $1 series
-- type: request = import('./schedules.js').Repeated
-- type: status = import('./schedules.js').ScheduleStatus
SELECT
{schedule}
FROM notification_schedules WHERE series_id = ANY ($1::uuid[]);

-- name: named
-- In: $1 producer, $2 schedule
SELECT series_id AS "seriesId" FROM notification_schedules WHERE producer = $1 AND schedule_id = $2;

-- name: pageForward
-- The newest first, older than the cursor.
-- In: $1 producer, NULL for all, $2 the cursor's series, $3 at most so many
SELECT series_id AS "seriesId" FROM notification_schedules
WHERE series_id < $2::uuid AND producer = $1
ORDER BY series_id DESC LIMIT $3;

-- name: pageBackward
-- The same, newer than the cursor, the nearest first.
SELECT series_id AS "seriesId" FROM notification_schedules
WHERE series_id > $2::uuid AND producer = $1
ORDER BY series_id LIMIT $3;

-- name: pageOfAllForward
-- In: $1 the cursor's series, $2 at most so many
SELECT series_id AS "seriesId" FROM notification_schedules WHERE series_id < $1::uuid ORDER BY series_id DESC LIMIT $2;

-- name: pageOfAllBackward
SELECT series_id AS "seriesId" FROM notification_schedules WHERE series_id > $1::uuid ORDER BY series_id LIMIT $2;

-- name: takeDue
-- The one that has been due for longest; those that another worker is sending are left to it.
-- In: $1 now, $2 milliseconds to look back, NULL for everything
-- type: request = import('./schedules.js').Repeated
-- type: status = import('./schedules.js').ScheduleStatus
SELECT
{schedule}
FROM notification_schedules
WHERE due_at <= $1 AND due_at >= coalesce($1::timestamptz - $2::float8 * interval '1 millisecond', '-infinity')
ORDER BY due_at
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: change
-- In: $1 series, $2 status, $3 next, $4 due, $5 occurrences, $6 the notification that was sent last, $7 why it was refused, $8 now
UPDATE notification_schedules
SET status = $2::text, next_at = $3, due_at = $4, occurrences = $5, last_notification_id = $6, last_error = $7,
    ended_at = CASE WHEN $2 IN ('COMPLETED', 'CANCELLED') THEN $8::timestamptz END
WHERE series_id = $1;

-- name: putOff
-- In: $1 series, $2 when it is due again
UPDATE notification_schedules SET due_at = $2 WHERE series_id = $1 AND status = 'ACTIVE';

-- name: forget
-- In: $1 over before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM notification_schedules
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM notification_schedules
  WHERE ended_at < $1 AND ended_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED));
