-- name: nextLone
-- The next partition of requests, deliveries or outcomes that is not a month's of all three, with the same bounds: rows of the month lay
-- in the default partition when it was to be made, so that it has partitions of some of its days, or an operator has detached one.
-- In: $1 the partition to go on after, $2 all of it is from before this instant
-- not null: partition
SELECT partition
FROM (
  SELECT c.relname::text AS partition, partition_until(c.oid) AS until,
    count(*) OVER (PARTITION BY pg_get_expr(c.relpartbound, c.oid), is_month) AS alike, is_month
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT c.relname ~ '_(first|\d{6})$' OR c.relname = 'delivery_targets' AS is_month) AS named
  WHERE i.inhparent IN ('notification_requests'::regclass, 'deliveries'::regclass, 'target_outcomes'::regclass)
) AS partitions
WHERE (alike < 3 OR NOT is_month) AND until <= $2 AND partition > $1
ORDER BY partition
LIMIT 1;

-- name: findNeeded
-- In: see find_needed_rows
-- not null: isLast, isNeeded
SELECT * FROM find_needed_rows($1, $2, $3);

-- name: detach
-- In: see drop_partition
SELECT drop_partition($1) AS done;
