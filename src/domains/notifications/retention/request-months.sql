-- name: nextMonth
-- The next month of requests, deliveries and outcomes that may go: the end of its partitions' names, until when it is, and whether
-- they are still partitions; else they were taken out, and not all of them dropped, as partitions of some days may be. One that an operator took out stays until it is
-- old enough, too.
-- In: $1 until when the month was to go on after, $2 all of it is from before this instant
-- not null: month, until, isAttached, since
SELECT month, until, "isAttached", clock_timestamp() AS since
FROM (
  SELECT substring(c.relname FROM '(first|\d{6})$') AS month, partition_until(c.oid) AS until, true AS "isAttached",
    pg_get_expr(c.relpartbound, c.oid) AS bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'deliveries'::regclass AND c.relname ~ '^deliveries_(first|\d{6})$'
  UNION ALL
  SELECT month, CASE month WHEN 'first' THEN '2000-01-01' ELSE (to_date(rpad(month, 8, '01'), 'YYYYMMDD') + interval '1 month') AT TIME ZONE 'UTC' END, false, NULL
  FROM (
    SELECT coalesce(substring(c.relname FROM '(first|\d+)$'), 'first') AS month
    FROM pg_class c
    WHERE c.relkind = 'r' AND c.relname ~ '^((deliveries|notification_requests)_(first|\d{6}(\d\d)?)|target_outcomes_\d{6}(\d\d)?|delivery_targets)$'
      AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'deliveries'::regclass)
    GROUP BY 1
    HAVING NOT bool_or(c.relispartition)
  ) AS taken_out
) AS months
WHERE until > $1 AND until <= $2
  -- Of what the three tables do not have in the same bounds, requests are forgotten one by one: see nextLone.
  AND (NOT "isAttached" OR 3 = (
    SELECT count(*) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE pg_get_expr(c.relpartbound, c.oid) = bounds
      AND ((i.inhparent = 'deliveries'::regclass AND c.relname = 'deliveries_' || month)
        OR (i.inhparent = 'notification_requests'::regclass AND c.relname = 'notification_requests_' || month)
        OR (i.inhparent = 'target_outcomes'::regclass AND c.relname = month_of_targets(month)))))
ORDER BY until
LIMIT 1;

-- name: findKept
-- In: see find_kept_deliveries
-- not null: isLast, kept, deliveries
SELECT * FROM find_kept_deliveries($1, $2, $3, $4, $5, $6::uuid[]);

-- name: detach
-- In: see detach_month
-- not null: done
SELECT detach_month($1, $2::uuid[], $3) AS done;

-- name: forgetLetters
-- In: see forget_letters
-- not null: isLast
SELECT * FROM forget_letters($1, $2, $3);

-- name: drop
-- Deliveries last: by them it is known which audit records went.
-- In: $1 the month: the end of its partitions' names
-- not null: done
SELECT drop_partition(partition) AS done
FROM unnest(ARRAY[month_of_targets($1), 'notification_requests_' || $1, 'deliveries_' || $1]) AS partition;
