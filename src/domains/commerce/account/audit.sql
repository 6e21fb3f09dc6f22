-- name: auditAfter
-- $1 stream, $2 after this stream position, $3 at most
SELECT global_position AS "globalPosition", stream_id AS "streamId", stream_position AS "streamPosition",
  event_type AS type, data, metadata, created_at AS "createdAt"
FROM events WHERE stream_id = $1 AND stream_position > $2 ORDER BY stream_position LIMIT $3

-- name: auditBefore
-- $1 stream, $2 before this stream position, $3 at most; nearest first
SELECT global_position AS "globalPosition", stream_id AS "streamId", stream_position AS "streamPosition",
  event_type AS type, data, metadata, created_at AS "createdAt"
FROM events WHERE stream_id = $1 AND stream_position < $2 ORDER BY stream_position DESC LIMIT $3
