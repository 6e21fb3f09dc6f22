-- name: readStream
-- $1 stream, $2 after this stream position, $3 at most
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events WHERE stream_id = $1 AND stream_position > $2 ORDER BY stream_position LIMIT $3

-- name: readAll
-- $1 after this global position, $2 at most. Gapless and in commit order, so a reader never has to look back.
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events WHERE global_position > $1 ORDER BY global_position LIMIT $2

-- name: headPosition
SELECT global_position FROM events ORDER BY global_position DESC LIMIT 1

-- name: findCommandResult
-- $1 command id, $2 hash of the body
SELECT body_hash = $2 AS same_body, result FROM commands WHERE command_id = $1
