-- name: lastArchived
-- $1 position. The last archived partition, where it has this position or a later one.
SELECT * FROM (
  SELECT from_position AS "from", until_position AS until FROM event_partitions
  WHERE archived_at IS NOT NULL ORDER BY from_position DESC LIMIT 1
) AS p
WHERE until > $1

-- name: dropAbandoned
-- Drops what other restores have left unfinished.
-- In:  $1 the position from which on is restored
-- Out: the tables, and whether each is gone: where somebody uses it for longer than 50 ms it stays
-- not null: dropped
SELECT c.relname AS name, drop_partition(c.relname) AS dropped
FROM pg_class c
WHERE c.relkind = 'r' AND c.relname ~ '^events_restored_from_\d+$'
  AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'events'::regclass)
  AND NOT EXISTS (
    SELECT FROM event_partitions p
    WHERE p.archived_at IS NOT NULL AND p.until_position > $1 AND c.relname = format('events_restored_from_%s', p.from_position))

-- name: drop
-- What the archiving has left may be there yet.
-- not null: dropped
SELECT drop_archived_partition($1) AS dropped

-- name: addLines
-- See prisma/functions/restore_events.sql.
-- not null: position
SELECT restore_events($1, $2::jsonb[]) AS "position"

-- name: chunkAt
-- $1 partition, $2 position
SELECT object_key AS key, sha256, events FROM event_archive_chunks
WHERE from_position = $1 AND sorted_by = 'position' AND first_position = $2

-- name: attach
SELECT attach_restored_partition($1)
