-- name: readArchive
-- not null: partitions, bytes, lastPosition
SELECT count(*)::int AS partitions, coalesce(sum(archived_bytes), 0)::bigint AS bytes,
  coalesce(max(until_position) - 1, 0)::bigint AS "lastPosition"
FROM event_partitions WHERE archived_at IS NOT NULL
