-- name: nextDay
-- The next day of delivery_events that may go, and whether it is still a partition: else it was taken out, and not dropped. The days of a
-- month stay until their requests have gone, but no longer than the month may stay as a whole: from then on its requests go one by one.
-- In: $1 the day to go on after, $2 the first day that is kept
-- not null: day
SELECT to_char(old.day, 'YYYY-MM-DD') AS day, old.relispartition AS "isAttached"
FROM (
  SELECT to_date(right(relname, 8), 'YYYYMMDD') AS day, relispartition
  FROM pg_class
  WHERE relkind = 'r' AND relname ~ '^delivery_events_\d{8}$'
    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'delivery_events'::regclass)
) AS old
WHERE old.day > $1::date AND old.day < $2::date
  AND NOT (date_trunc('month', old.day) + interval '1 month 7 days' >= $2::date AND EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'notification_requests'::regclass AND c.relname = 'notification_requests_' || to_char(old.day, 'YYYYMM')))
ORDER BY old.day
LIMIT 1;

-- name: findKept
-- In: see find_kept_events
-- not null: isLast, kept, events
SELECT * FROM find_kept_events($1::date, $2, $3, $4, $5);

-- name: detach
-- In: see detach_event_day
-- not null: done
SELECT detach_event_day($1::date, $2::uuid[]) AS done;

-- name: drop
-- In: see drop_event_day
-- not null: done
SELECT drop_event_day($1::date) AS done;
