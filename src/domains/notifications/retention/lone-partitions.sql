-- name: nextLone
-- The next partition of requests, deliveries or outcomes whose bounds the other two tables do not have: a month's rows lay in the
-- default partition when it was to be made, or an operator has detached one.
-- In: $1 the partition to go on after, $2 all of it is from before this instant
-- not null: partition
SELECT partition
FROM (
  SELECT c.relname::text AS partition, partition_until(c.oid) AS until,
    count(*) OVER (PARTITION BY pg_get_expr(c.relpartbound, c.oid)) AS alike
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent IN ('notification_requests'::regclass, 'deliveries'::regclass, 'target_outcomes'::regclass)
) AS partitions
WHERE alike < 3 AND until <= $2 AND partition > $1
ORDER BY partition
LIMIT 1;

-- name: findNeeded
-- In: see find_needed_rows
-- not null: isLast, isNeeded
SELECT * FROM find_needed_rows($1, $2, $3);

-- name: detach
-- In: see drop_partition
SELECT drop_partition($1) AS done;
