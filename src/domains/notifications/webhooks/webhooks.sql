-- part: webhook
webhook_id AS "webhookId", owner_id AS "ownerId", url, event_types AS "eventTypes", notification_types AS "notificationTypes",
  is_active AS "isActive", disabled_reason AS "disabledReason", created_at AS "createdAt"

-- name: byId
-- In: $1 webhook, $2 whether also one that follows the log
SELECT {webhook} FROM webhooks WHERE webhook_id = $1 AND deleted_at IS NULL AND ($2::boolean OR NOT follows_log);

-- name: ofOwnerForward
-- An owner's that do not follow the log, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and webhook, $3 at most so many, $4 owner
SELECT {webhook} FROM webhooks
WHERE owner_id = $4 AND deleted_at IS NULL AND NOT follows_log AND (created_at, webhook_id) < ($1::timestamptz, $2::uuid)
ORDER BY created_at DESC, webhook_id DESC
LIMIT $3;

-- name: ofOwnerBackward
-- The same, newer than the cursor, the nearest first.
SELECT {webhook} FROM webhooks
WHERE owner_id = $4 AND deleted_at IS NULL AND NOT follows_log AND (created_at, webhook_id) > ($1::timestamptz, $2::uuid)
ORDER BY created_at, webhook_id
LIMIT $3;

-- name: allForward
-- Everybody's, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and webhook, $3 at most so many
SELECT {webhook} FROM webhooks
WHERE deleted_at IS NULL AND (created_at, webhook_id) < ($1::timestamptz, $2::uuid)
ORDER BY created_at DESC, webhook_id DESC
LIMIT $3;

-- name: allBackward
-- The same, newer than the cursor, the nearest first.
SELECT {webhook} FROM webhooks
WHERE deleted_at IS NULL AND (created_at, webhook_id) > ($1::timestamptz, $2::uuid)
ORDER BY created_at, webhook_id
LIMIT $3;

-- name: lockOwner
-- Until the transaction ends nobody else adds a webhook of this owner or changes one.
-- In: $1 owner
SELECT pg_advisory_xact_lock(hashtextextended('webhooks of ' || $1, 0));

-- name: add
-- In: $1 webhook, $2 owner, $3 URL, $4 event types, $5 notification types, $6 and $7 whether there are lifecycle events and events of
--     the log among the event types, $8 encrypted secret, $9 now, $10 webhooks that the owner may have, $11 active ones of
--     them that follow lifecycle events
-- Out: the webhook; nothing where the owner has so many already
INSERT INTO webhooks (webhook_id, owner_id, url, event_types, notification_types, follows_lifecycle, follows_log, secret, active_since, created_at)
SELECT $1::uuid, $2::text, $3::text, $4::text[], $5::text[], $6::boolean, $7::boolean, $8::bytea, $9::timestamptz, $9
WHERE (SELECT count(*) FROM webhooks w WHERE w.owner_id = $2 AND w.deleted_at IS NULL) < $10::int
  AND (NOT $6 OR (
    SELECT count(*) FROM webhooks w
    WHERE w.owner_id = $2 AND w.is_active AND w.follows_lifecycle AND w.deleted_at IS NULL) < $11::int)
RETURNING {webhook};

-- name: change
-- What is NULL stays. One that is switched on, or goes to another URL, starts afresh: it is not paused, and what waits has not failed
-- yet. Attempts that are under way meanwhile know it by `active_since`, which always grows. One that has followed
-- the log counts as one that does: events of the log may wait for it, or be asked for again.
-- In: $1 webhook, $2 URL, $3 event types, $4 notification types, $5 and $6 as in `add`, $7 whether it is active, $8 now, $9 whether also
--     one that follows the log, $10 active webhooks that follow lifecycle events that its owner may have
-- Out: nothing where there is none, or where its owner has so many others
UPDATE webhooks k SET
  url = coalesce($2, url), event_types = coalesce($3, event_types), notification_types = coalesce($4, notification_types),
  follows_lifecycle = coalesce($5, follows_lifecycle), follows_log = follows_log OR coalesce($6, false),
  is_active = coalesce($7, is_active), disabled_reason = CASE WHEN $7::boolean IS NULL THEN disabled_reason END,
  active_since = CASE WHEN $7 OR $2 <> url THEN greatest($8::timestamptz, active_since + interval '1 millisecond') ELSE active_since END,
  pauses = CASE WHEN $7 OR $2 <> url THEN 0 ELSE pauses END,
  paused_until = CASE WHEN $7 OR $2 <> url THEN NULL ELSE paused_until END,
  failing_since = CASE WHEN $7 OR $2 <> url THEN NULL ELSE failing_since END
WHERE webhook_id = $1 AND deleted_at IS NULL AND ($9::boolean OR NOT follows_log)
  AND (NOT coalesce($7, is_active) OR NOT coalesce($5, follows_lifecycle) OR (is_active AND follows_lifecycle) OR (
    SELECT count(*) FROM webhooks w
    WHERE w.owner_id = k.owner_id AND w.is_active AND w.follows_lifecycle AND w.deleted_at IS NULL) < $10::int)
RETURNING {webhook};

-- name: wake
-- What waits for its next attempt becomes due, so many at most: the others become due by themselves, within the longest wait.
-- In: $1 webhook, $2 at most so many
UPDATE webhook_backlogs SET due_at = now()
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_backlogs
  WHERE webhook_id = $1 AND due_at > now() AND lease_token IS NULL
  ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED));

-- name: remove
-- In: $1 webhook, $2 now
UPDATE webhooks SET deleted_at = $2, is_active = false WHERE webhook_id = $1 AND deleted_at IS NULL
RETURNING webhook_id AS "webhookId";

-- name: rotate
-- In: $1 webhook, $2 the new encrypted secret, $3 until when the one before signs as well, $4 whether also
--     of one that follows the log
UPDATE webhooks SET former_secret = secret, former_until = $3, secret = $2
WHERE webhook_id = $1 AND deleted_at IS NULL AND ($4::boolean OR NOT follows_log)
RETURNING {webhook};

-- name: disable
-- In: $1 webhook, $2 why, $3 its `active_since` when that was found out
-- Out: nothing where it was not active any more, or has started afresh
UPDATE webhooks SET is_active = false, disabled_reason = $2
WHERE webhook_id = $1 AND is_active AND deleted_at IS NULL AND active_since = $3
RETURNING {webhook};

-- name: isDisabled
-- In: $1 webhook
-- Out: a row where it is there, and was disabled for a reason
SELECT webhook_id AS "webhookId" FROM webhooks
WHERE webhook_id = $1 AND NOT is_active AND disabled_reason IS NOT NULL AND deleted_at IS NULL;
