-- part: sums
-- What a conflicting row adds to the one that is there, `r`.
SET created = r.created + excluded.created,
    validated = r.validated + excluded.validated,
    preference_checked = r.preference_checked + excluded.preference_checked,
    rendered = r.rendered + excluded.rendered,
    queued = r.queued + excluded.queued,
    sent = r.sent + excluded.sent,
    delivered = r.delivered + excluded.delivered,
    opened = r.opened + excluded.opened,
    clicked = r.clicked + excluded.clicked,
    dismissed = r.dismissed + excluded.dismissed,
    unsubscribed = r.unsubscribed + excluded.unsubscribed,
    failed = r.failed + excluded.failed,
    retry = r.retry + excluded.retry,
    dlq = r.dlq + excluded.dlq,
    expired = r.expired + excluded.expired,
    scheduled = r.scheduled + excluded.scheduled,
    suppressed = r.suppressed + excluded.suppressed,
    cancelled = r.cancelled + excluded.cancelled,
    suspected_bots = r.suspected_bots + excluded.suspected_bots,
    (latency_buckets, latency_counts) = (
      SELECT coalesce(array_agg(sum.bucket ORDER BY sum.bucket), '{}'),
             coalesce(array_agg(sum.count ORDER BY sum.bucket), '{}')
      FROM (SELECT part.bucket, sum(part.count)::int AS count
            FROM (SELECT * FROM unnest(r.latency_buckets, r.latency_counts)
                  UNION ALL SELECT * FROM unnest(excluded.latency_buckets, excluded.latency_counts))
              AS part (bucket, count)
            GROUP BY part.bucket) AS sum)

-- name: add
-- Adds to what is counted. A writer of rollups holds the row of notification_rollup_state.
-- In: $1 a JSON array of rows of notification_rollups, none twice
INSERT INTO notification_rollups AS r
SELECT more.* FROM jsonb_populate_recordset(NULL::notification_rollups, $1) AS more
ON CONFLICT (seconds, starts_at, channel, priority, notification_type, template_id) DO UPDATE
{sums};

-- name: addOfCampaigns
-- In: $1 a JSON array of rows of campaign_rollups, none twice
INSERT INTO campaign_rollups AS r
SELECT more.* FROM jsonb_populate_recordset(NULL::campaign_rollups, $1) AS more
ON CONFLICT (campaign_id, starts_at, channel) DO UPDATE
{sums};

-- name: clear
-- In: $1 60, 3600 or 86400, $2 from, $3 until: minutes, hours or days that start then
DELETE FROM notification_rollups WHERE seconds = $1 AND starts_at >= $2 AND starts_at < $3;

-- name: rows
-- Rows as JSON.
-- In: $1 60 or 3600, $2 from, $3 until
-- not null: row
-- type: row = import('./rollups.js').RollupRow
SELECT to_jsonb(r) AS row FROM notification_rollups r WHERE seconds = $1 AND starts_at >= $2 AND starts_at < $3;

-- name: stopReadingMinutes
-- From here on nobody reads minutes before this instant, nor before the last settled hour.
-- In: $1 the instant
UPDATE notification_rollup_state SET turn = turn + 1, minutes_from = least($1, date_bin('1 hour', settled_until, 'epoch'))
WHERE id = 1 AND turn >= (SELECT n.turn FROM newest_rollup_state() n)
  AND minutes_from < least($1, date_bin('1 hour', settled_until, 'epoch'));

-- name: forgetMinutes
-- Those that nobody reads any more. Of what is counted anew, an hour keeps its minutes until it is settled again.
-- In: $1 from which instant on, so that what was deleted before is not passed over again; $2 at most so many rows
-- Out: one row: how many were found, and when the last one starts (NULL: there was none)
-- not null: found
WITH old AS MATERIALIZED (
  SELECT r.ctid, r.starts_at FROM notification_rollups r
  WHERE r.seconds = 60 AND r.starts_at >= $1 AND r.starts_at < (
    SELECT least(minutes_from, date_bin('1 hour', settled_until, 'epoch'))
    FROM newest_rollup_state())
  ORDER BY r.starts_at LIMIT $2
), gone AS (
  DELETE FROM notification_rollups WHERE ctid = ANY (ARRAY(SELECT ctid FROM old))
)
SELECT count(*)::int AS found, max(starts_at) AS "lastAt" FROM old;
