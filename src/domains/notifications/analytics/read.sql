-- name: points
-- What was counted of the minutes in [from, until), in points of so many seconds. Hours stand for their minutes where
-- they are settled and lie within one point.
-- In: $1 from, $2 until, $3 seconds of a point; channel $4, priority $5, type $6 and template $7, each NULL for all
-- Out: a row for each point of which anything was counted ("point", from 0), with the latencies' buckets and what each counts
WITH span AS (
  SELECT CASE WHEN whole.fits THEN 3600 ELSE 60 END AS seconds, greatest(hour.at, $1) AS begins_at,
         least(hour.at + interval '1 hour', $2) AS ends_at
  FROM notification_rollup_state state
  CROSS JOIN generate_series(date_bin('1 hour', $1::timestamptz, 'epoch'), $2::timestamptz - interval '1 minute',
                             interval '1 hour') AS hour (at)
  CROSS JOIN LATERAL (
    SELECT hour.at >= $1 AND hour.at + interval '1 hour' <= least($2, state.settled_until)
           AND floor(extract(epoch FROM hour.at - $1) / $3::int)
             = floor((extract(epoch FROM hour.at - $1) + 3540) / $3::int) AS fits
  ) AS whole
), picked AS MATERIALIZED (
  SELECT floor(extract(epoch FROM r.starts_at - $1) / $3::int)::int AS point, r.sent, r.delivered, r.opened, r.clicked,
         r.dismissed, r.unsubscribed, r.failed, r.expired, r.suppressed, r.suspected_bots, r.latency_buckets,
         r.latency_counts
  FROM span CROSS JOIN LATERAL (
    SELECT * FROM notification_rollups r
    WHERE r.seconds = span.seconds AND r.starts_at >= span.begins_at AND r.starts_at < span.ends_at
      AND ($4::text IS NULL OR r.channel = $4) AND ($5::text IS NULL OR r.priority = $5)
      AND ($6::text IS NULL OR r.notification_type = $6) AND ($7::text IS NULL OR r.template_id = $7)
    -- Keeps this a look at the index, hour by hour.
    OFFSET 0
  ) AS r
), latency AS (
  SELECT sum.point, array_agg(sum.bucket) AS buckets, array_agg(sum.count) AS counts
  FROM (SELECT p.point, l.bucket, sum(l.count)::float8 AS count
        FROM picked p CROSS JOIN unnest(p.latency_buckets, p.latency_counts) AS l (bucket, count)
        GROUP BY p.point, l.bucket) AS sum
  GROUP BY sum.point
), total AS (
  SELECT point, sum(sent) AS sent, sum(delivered) AS delivered, sum(opened) AS opened, sum(clicked) AS clicked,
         sum(dismissed) AS dismissed, sum(unsubscribed) AS unsubscribed, sum(failed) AS failed,
         sum(expired) AS expired, sum(suppressed) AS suppressed, sum(suspected_bots) AS "suspectedBots"
  FROM picked
  GROUP BY point
)
SELECT total.*, latency.buckets AS "latencyBuckets", latency.counts AS "latencyCounts"
FROM total LEFT JOIN latency USING (point);
