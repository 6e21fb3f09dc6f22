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
SELECT line, "position", stream, place, created_at::text AS created_at FROM archive_lines($1, $2, $3, $4, $5, $6)

-- name: noteChunk
-- One that somebody else has noted stays.
INSERT INTO event_archive_chunks (from_position, sorted_by, number, object_key, sha256, bytes, events,
  first_position, first_stream, first_place, last_position, last_stream, last_place, first_created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text::timestamptz)
ON CONFLICT (from_position, sorted_by, number) DO NOTHING

-- name: unverified
-- $1 partition. The next objects that were not read back.
SELECT sorted_by AS sort, number, object_key AS key, sha256, events FROM event_archive_chunks
WHERE from_position = $1 AND verified_at IS NULL ORDER BY sorted_by, number LIMIT 100

-- name: noteVerified
-- $1 partition, $2 order, $3 number, $4 SHA-256 of what was read back
UPDATE event_archive_chunks SET verified_at = clock_timestamp()
WHERE from_position = $1 AND sorted_by = $2 AND number = $3 AND sha256 = $4

-- name: forgetChunksFrom
-- $1 partition, $2 order, $3 number: this one is damaged; it and those after it are written again. Not of what is archived.
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
SELECT detach_archived_partition($1, $2) AS detached

-- name: leftOver
-- Partitions that are archived and out of the log, and not dropped yet.
SELECT p.from_position AS "from" FROM event_partitions p
WHERE p.archived_at IS NOT NULL AND to_regclass(format('events_from_%s', p.from_position)) IS NOT NULL

-- name: drop
SELECT drop_archived_partition($1) AS dropped
