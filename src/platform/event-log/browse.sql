-- name: logForward
-- The whole log in order.
-- In, here and below: $1 after this position, $2 before this position, $3 at most so many
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events WHERE global_position > $1 AND global_position < $2
ORDER BY global_position LIMIT $3

-- name: logBackward
-- The same, the last first.
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events WHERE global_position > $1 AND global_position < $2
ORDER BY global_position DESC LIMIT $3

-- name: streamForward
-- $4 stream. Its own order is the log's, and only that has an index: a cursor, which is the position of one of its
-- events, is sought by that event's place in the stream; what other position bounds the page is a mere filter.
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events
WHERE global_position > $1 AND global_position < $2 AND stream_id = $4
  AND stream_position > coalesce(
    (SELECT c.stream_position FROM events c WHERE c.global_position = $1 AND c.stream_id = $4), -1)
ORDER BY stream_position LIMIT $3

-- name: streamBackward
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events
WHERE global_position > $1 AND global_position < $2 AND stream_id = $4
  AND stream_position < coalesce(
    (SELECT c.stream_position FROM events c WHERE c.global_position = $2 AND c.stream_id = $4), 2147483647)
ORDER BY stream_position DESC LIMIT $3

-- name: storyForward
-- $4 correlation id, $5 stream or NULL
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events
WHERE global_position > $1 AND global_position < $2 AND metadata ->> 'correlationId' = $4
  AND ($5::text IS NULL OR stream_id = $5)
ORDER BY global_position LIMIT $3

-- name: storyBackward
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events
WHERE global_position > $1 AND global_position < $2 AND metadata ->> 'correlationId' = $4
  AND ($5::text IS NULL OR stream_id = $5)
ORDER BY global_position DESC LIMIT $3
