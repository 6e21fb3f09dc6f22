-- name: chunkAt
-- $1 position. The chunk that has it; none where there is no such chunk.
SELECT key, sha256, events FROM (
  SELECT object_key AS key, sha256, events, last_position FROM event_archive_chunks
  WHERE sorted_by = 'position' AND first_position <= $1 ORDER BY first_position DESC LIMIT 1
) AS c
WHERE last_position >= $1

-- name: chunkOfStream
-- $1 stream, $2 after this place. The chunk that has the stream's next place, of the first archived partition that has any.
-- Objects without an order were written by a former version, in that of the database's collation.
SELECT c.key, c.sha256, c.events, held."order"
FROM (
  SELECT s.from_position, p.archive_order AS "order", greatest(s.first_position, $2::int + 1) AS place
  FROM stream_partitions s JOIN event_partitions p ON p.from_position = s.from_position
  WHERE s.stream_id = $1 AND s.last_position > $2 AND p.archived_at IS NOT NULL
  ORDER BY s.from_position LIMIT 1
) AS held
CROSS JOIN LATERAL (
  (SELECT object_key AS key, sha256, events FROM event_archive_chunks
    WHERE held."order" = 'C' AND from_position = held.from_position AND sorted_by = 'stream'
      AND (first_stream COLLATE "C", first_place) <= ($1, held.place)
    ORDER BY first_stream COLLATE "C" DESC, first_place DESC LIMIT 1)
  UNION ALL
  (SELECT object_key, sha256, events FROM event_archive_chunks
    WHERE held."order" IS DISTINCT FROM 'C' AND from_position = held.from_position AND sorted_by = 'stream'
      AND (first_stream, first_place) <= ($1, held.place)
    ORDER BY first_stream DESC, first_place DESC LIMIT 1)
) AS c

-- name: chunkAtMoment
-- $1 moment. The last chunk that begins by then, its millisecond included.
SELECT object_key AS key, sha256, events FROM event_archive_chunks
WHERE sorted_by = 'position' AND first_created_at < $1::timestamptz + interval '1 millisecond'
ORDER BY first_created_at DESC, first_position DESC LIMIT 1
