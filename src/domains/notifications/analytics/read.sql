-- part: counted
floor(extract(epoch FROM r.starts_at - $1) / $3::int)::int AS point, r.sent, r.delivered, r.opened, r.clicked,
         r.dismissed, r.unsubscribed, r.failed, r.expired, r.suppressed, r.suspected_bots, r.latency_buckets,
         r.latency_counts

-- part: addUp
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
FROM total LEFT JOIN latency USING (point)

-- name: points
-- What was counted of the minutes in [from, until), in points of so many seconds, from the coarsest rows that fit: a day or an hour
-- stands for its minutes where it is settled and lies within one point. An hour whose minutes were let go counts in the point in
-- which it begins; where "by the hour", every settled one does.
-- In: $1 from, $2 until, $3 seconds of a point; channel $4, priority $5, type $6 and template $7, each NULL for all; $8 by the hour
-- Out: a row for each point of which anything was counted ("point", from 0), with the latencies' buckets and what each counts
-- not null: point, sent, delivered, opened, clicked, dismissed, unsubscribed, failed, expired, suppressed, suspectedBots
WITH day AS (
  SELECT at, state.settled_until, state.minutes_from,
         at >= $1 AND at + interval '1 day' <= least($2, state.days_until)
         AND floor(extract(epoch FROM at - $1) / $3::int) = floor((extract(epoch FROM at - $1) + 86340) / $3::int) AS fits
  FROM newest_rollup_state() state
  CROSS JOIN generate_series(date_bin('1 day', $1::timestamptz, 'epoch'), $2::timestamptz - interval '1 minute',
                             interval '1 day') AS at
), hour AS (
  SELECT hour.at, hour.at + interval '1 hour' <= day.settled_until AS settled, $8::boolean OR hour.at < day.minutes_from AS coarse,
         hour.at >= $1 AND hour.at + interval '1 hour' <= $2
         AND floor(extract(epoch FROM hour.at - $1) / $3::int) = floor((extract(epoch FROM hour.at - $1) + 3540) / $3::int) AS fits
  FROM day CROSS JOIN generate_series(day.at, day.at + interval '23 hours', interval '1 hour') AS hour (at)
  WHERE NOT day.fits AND hour.at < $2 AND hour.at + interval '1 hour' > $1
), span AS (
  SELECT 86400 AS seconds, at AS begins_at, at + interval '1 day' AS ends_at FROM day WHERE fits
  UNION ALL
  SELECT 3600, at, at + interval '1 hour' FROM hour WHERE settled AND at >= $1 AND (fits OR coarse)
  UNION ALL
  SELECT 60, greatest(at, $1), least(at + interval '1 hour', $2) FROM hour WHERE NOT (settled AND (fits OR coarse))
), picked AS MATERIALIZED (
  SELECT {counted}
  FROM span CROSS JOIN LATERAL (
    SELECT * FROM notification_rollups r
    WHERE r.seconds = span.seconds AND r.starts_at >= span.begins_at AND r.starts_at < span.ends_at
      AND ($4::text IS NULL OR r.channel = $4) AND ($5::text IS NULL OR r.priority = $5)
      AND ($6::text IS NULL OR r.notification_type = $6) AND ($7::text IS NULL OR r.template_id = $7)
    -- Keeps this a look at the index, span by span.
    OFFSET 0
  ) AS r
{addUp};

-- name: pointsOfCampaign
-- The same of a campaign: campaigns are counted by the minute alone.
-- In: as points up to $7, $8 the campaign
-- Out: as points
-- not null: point, sent, delivered, opened, clicked, dismissed, unsubscribed, failed, expired, suppressed, suspectedBots
WITH picked AS MATERIALIZED (
  SELECT {counted}
  FROM campaigns c
  JOIN campaign_rollups r ON r.campaign_id = c.campaign_id AND r.starts_at >= $1::timestamptz AND r.starts_at < $2::timestamptz
  WHERE c.campaign_id = $8 AND ($4::text IS NULL OR r.channel = $4) AND ($5::text IS NULL OR c.priority = $5)
    AND ($6::text IS NULL OR c.type = $6) AND ($7::text IS NULL OR c.template_id = $7)
{addUp};
