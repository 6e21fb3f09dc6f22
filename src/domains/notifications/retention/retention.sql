-- name: readNow
-- not null: now
SELECT clock_timestamp() AS now;

-- name: nextPartition
-- The next partition of requests that are forgotten one by one: the first, the default, and months that should have gone as a whole a
-- week ago, and of which too much is kept.
-- In: $1 the partition to go on after (NULL: the first of them), $2 before which instant requests must have been over
SELECT c.relname AS partition
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'notification_requests'::regclass AND ($1::text IS NULL OR c.relname < $1::name)
  AND (c.relname IN ('notification_requests_first', 'notification_requests_default')
    OR partition_until(c.oid) < $2::timestamptz - interval '7 days')
ORDER BY c.relname DESC
LIMIT 1;

-- name: forgetRequests
-- In: see forget_requests_of
-- not null: isLast, forgotten
SELECT * FROM forget_requests_of($1, $2, $3, $4, $5, $6);

-- name: forgetItems
-- In: see forget_inbox_items
-- not null: looked, forgotten
SELECT * FROM forget_inbox_items($1, $2, $3, $4);

-- name: forgetStrayItems
-- Items that came while their month had no partition.
-- In: $1 from before this instant, $2 at most so many, $3 milliseconds to look back from there, NULL for everything
DELETE FROM inbox_entries_default
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM inbox_entries_default
  WHERE created_at AT TIME ZONE 'UTC' < $1::timestamptz AT TIME ZONE 'UTC'
    AND created_at AT TIME ZONE 'UTC'
      >= coalesce($1::timestamptz AT TIME ZONE 'UTC' - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY created_at AT TIME ZONE 'UTC', item_id LIMIT $2 FOR UPDATE SKIP LOCKED));

-- name: nextMonth
-- The oldest partition of inboxes' items that may go, whether it is still a partition or was taken out and not dropped. One that an
-- operator took out stays until it is old enough, too.
-- In: $1 all of its items are from before this instant
SELECT c.relname AS partition, c.relispartition AS "isAttached"
FROM pg_class c
WHERE c.relkind = 'r' AND c.relname ~ '^inbox_(items|entries_\d{6}(\d\d)?)$'
  AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'inbox_entries'::regclass)
  AND CASE
        WHEN c.relispartition THEN partition_until(c.oid) <= $1
        WHEN c.relname = 'inbox_items' THEN true
        ELSE (to_date(substring(c.relname FROM '\d{6}'), 'YYYYMM') + interval '1 month') AT TIME ZONE 'UTC' <= $1
      END
ORDER BY c.relispartition, partition_until(c.oid)
LIMIT 1;

-- name: dropPartition
-- In: see drop_partition
-- not null: done
SELECT drop_partition($1) AS done;

-- name: nextDocuments
-- The oldest partition of search documents that may go, whether it is still a partition or was taken out and not dropped: when no month of
-- deliveries is left that it may have documents of. What stays of these is in their default partition, and is not found any more.
-- In: $1 all of its deliveries are from before this instant
-- Out: "until": until when it is; NULL where it was taken out
SELECT c.relname AS partition, partition_until(c.oid) AS until
FROM pg_class c
WHERE c.relkind = 'r' AND c.relname ~ '^delivery_search_documents_(first|\d{6}(\d\d)?)$'
  AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'delivery_search_documents'::regclass)
  AND (NOT c.relispartition OR partition_until(c.oid) <= $1 AND NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class d ON d.oid = i.inhrelid
    WHERE i.inhparent = 'deliveries'::regclass AND partition_until(d.oid) IS NOT NULL
      AND coalesce(substring(pg_get_expr(d.relpartbound, d.oid) FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity') < partition_until(c.oid)))
ORDER BY c.relispartition, partition_until(c.oid)
LIMIT 1;

-- name: forgetBlocks
-- In: $1 there are no documents of deliveries from before this instant any more
DELETE FROM delivery_search_blocks WHERE last_at < $1;

-- name: forgetStrayDocuments
-- Those of deliveries that are gone, in the default partition: their month had no partition.
-- In: $1 of deliveries from before this instant, $2 after this delivery, $3 at most so many are looked at
-- Out: one row: the last delivery that was looked at (NULL: there was none), and how many were looked at
-- not null: looked
WITH page AS (
  SELECT s.delivery_id, s.created_at FROM delivery_search_documents_default s
  WHERE s.delivery_id > $2::uuid
  ORDER BY s.delivery_id
  LIMIT $3
), gone AS (
  DELETE FROM delivery_search_documents_default s USING page
  WHERE s.delivery_id = page.delivery_id AND s.created_at = page.created_at AND page.created_at < $1
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.delivery_id = page.delivery_id AND d.created_at = page.created_at)
)
SELECT (array_agg(delivery_id ORDER BY delivery_id DESC))[1] AS "lastId", count(*)::int AS looked FROM page;

-- name: forgetAlerts
-- The newest change stays: the next one is numbered after it. Whatever was resolved before was raised before, and what is active is
-- few: at most one of a name and scope.
-- In: $1 resolved before this instant, $2 at most so many
DELETE FROM alerts
WHERE alert_id = ANY (ARRAY(
  SELECT alert_id FROM alerts
  WHERE raised_at < $1 AND resolved_at < $1 AND change < (SELECT max(change) FROM alerts)
  ORDER BY raised_at, alert_id
  LIMIT $2));
