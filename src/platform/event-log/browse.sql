-- name: bounds
-- The first position that is in Postgres, and the last one.
-- not null: first, last
SELECT coalesce(min(global_position), 1) AS first, coalesce(max(global_position), 0) AS last FROM events

-- name: streamForward
-- In, here and below: $1 after this position, $2 before this position, $3 at most so many, $4 stream
-- A stream's own order is the log's, and only that has an index: a cursor, which is the position of one of its events, is
-- sought by that event's place in the stream; what other position bounds the page is a mere filter.
-- not null: global_position, stream_id, stream_position, event_type, data, metadata, created_at
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
SELECT e.global_position, e.stream_id, e.stream_position, e.event_type, e.data, e.metadata, e.created_at
FROM (
  SELECT coalesce((SELECT c.stream_position FROM events c WHERE c.global_position = $1 AND c.stream_id = $4), -1) AS place OFFSET 0
) AS cursor
CROSS JOIN LATERAL page_of_stream($4, cursor.place, 2147483647, $1, $2, true, $3) e
ORDER BY e.stream_position

-- name: streamBackward
-- not null: global_position, stream_id, stream_position, event_type, data, metadata, created_at
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
SELECT e.global_position, e.stream_id, e.stream_position, e.event_type, e.data, e.metadata, e.created_at
FROM (
  SELECT coalesce((SELECT c.stream_position FROM events c WHERE c.global_position = $2 AND c.stream_id = $4), 2147483647) AS place OFFSET 0
) AS cursor
CROSS JOIN LATERAL page_of_stream($4, -1, cursor.place - 1, $1, $2, false, $3) e
ORDER BY e.stream_position DESC

-- name: correlationForward
-- $4 correlation id, $5 stream or NULL
-- Out, here and below: one row at least; `first` is the first position in Postgres, the rest is NULL where there is no event
-- not null: first
-- null: global_position, stream_id, stream_position, event_type, data, metadata, created_at
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
SELECT w.first, e.*
FROM (SELECT coalesce(min(global_position), 1) AS first FROM events) w
LEFT JOIN LATERAL (
  SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
  FROM events
  WHERE global_position > $1 AND global_position < $2 AND metadata ->> 'correlationId' = $4
    AND ($5::text IS NULL OR stream_id = $5)
  ORDER BY global_position LIMIT $3
) e ON true
ORDER BY e.global_position

-- name: correlationBackward
-- not null: first
-- null: global_position, stream_id, stream_position, event_type, data, metadata, created_at
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
SELECT w.first, e.*
FROM (SELECT coalesce(min(global_position), 1) AS first FROM events) w
LEFT JOIN LATERAL (
  SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
  FROM events
  WHERE global_position > $1 AND global_position < $2 AND metadata ->> 'correlationId' = $4
    AND ($5::text IS NULL OR stream_id = $5)
  ORDER BY global_position DESC LIMIT $3
) e ON true
ORDER BY e.global_position DESC
