-- name: nextPartition
-- $1 days. The first partition in Postgres, where all of it is so old, sealed, and passed by every projector.
SELECT p.from_position AS "from", p.until_position AS until
FROM (
  SELECT * FROM event_partitions WHERE sealed_at IS NOT NULL AND archived_at IS NULL ORDER BY from_position LIMIT 1
) AS p
WHERE (SELECT created_at FROM events WHERE global_position = p.until_position - 1) < now() - $1::float8 * interval '1 day'
  AND NOT EXISTS (SELECT FROM projectors WHERE coalesce(projector_position(projector_name), 0) < p.until_position - 1)

-- name: lastChunk
-- $1 partition, $2 order
SELECT number, last_position, last_stream, last_place FROM event_archive_chunks
WHERE from_position = $1 AND sorted_by = $2 ORDER BY number DESC LIMIT 1

-- name: readLines
-- See prisma/functions/archive_lines.sql.
-- not null: line, position, stream, place, created_at
SELECT line, "position", stream, place, created_at::text AS created_at FROM archive_lines($1, $2, $3, $4, $5, $6, $7)

-- name: noteChunk
-- Where another run has noted this number, or has forgotten the chunk before it, nothing is noted.
-- In: $15, $16 and $17 the last position, stream and place of the chunk before it
INSERT INTO event_archive_chunks (from_position, sorted_by, number, object_key, sha256, bytes, events,
  first_position, first_stream, first_place, last_position, last_stream, last_place, first_created_at)
SELECT $1::bigint, $2::text, $3::int, $4::text, $5::bytea, $6::int, $7::int,
  $8::bigint, $9::text, $10::int, $11::bigint, $12::text, $13::int, $14::text::timestamptz
WHERE $3::int = 1 OR EXISTS (
  SELECT FROM event_archive_chunks
  WHERE from_position = $1::bigint AND sorted_by = $2::text AND number = $3::int - 1
    AND last_position = $15::bigint AND last_stream = $16::text AND last_place = $17::int)
ON CONFLICT (from_position, sorted_by, number) DO NOTHING

-- name: countEvents
-- $1 partition, $2 order
-- not null: events
SELECT coalesce(sum(events), 0)::bigint AS events FROM event_archive_chunks WHERE from_position = $1 AND sorted_by = $2

-- name: unverified
-- $1 partition. The next objects that were not read back.
SELECT sorted_by AS sort, number, object_key AS key, sha256, events FROM event_archive_chunks
WHERE from_position = $1 AND verified_at IS NULL ORDER BY sorted_by, number LIMIT 100

-- name: noteVerified
-- $1 partition, $2 order, $3 number, $4 SHA-256 of what was read back
UPDATE event_archive_chunks SET verified_at = clock_timestamp()
WHERE from_position = $1 AND sorted_by = $2 AND number = $3 AND sha256 = $4

-- name: forgetChunksFrom
-- $1 partition, $2 order, $3 number: it and those after it are written again. Not of what is archived.
DELETE FROM event_archive_chunks c
WHERE from_position = $1 AND sorted_by = $2 AND number >= $3
  AND EXISTS (SELECT FROM event_partitions p WHERE p.from_position = c.from_position AND p.archived_at IS NULL FOR UPDATE)

-- name: listChunks
-- $1 partition
SELECT sorted_by AS "sortedBy", object_key AS key, encode(sha256, 'hex') AS sha256, bytes, events,
  first_position AS "firstPosition", first_stream AS "firstStream", first_place AS "firstPlace",
  last_position AS "lastPosition", last_stream AS "lastStream", last_place AS "lastPlace"
FROM event_archive_chunks WHERE from_position = $1 ORDER BY sorted_by, number

-- name: detach
-- not null: detached
SELECT detach_archived_partition($1, $2) AS detached

-- name: leftOver
-- Partitions that are archived and out of the log, and not dropped yet.
SELECT p.from_position AS "from" FROM event_partitions p
WHERE p.archived_at IS NOT NULL AND to_regclass(format('events_from_%s', p.from_position)) IS NOT NULL

-- name: drop
SELECT drop_archived_partition($1) AS dropped
