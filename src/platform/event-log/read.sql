-- name: readStream
-- $1 stream, $2 after this stream position, $3 through this one: places in a stream have no gaps, so that is a page
-- not null: global_position, stream_id, stream_position, event_type, data, metadata, created_at
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
FROM events_of_stream($1, $2, $3) ORDER BY stream_position

-- name: lastPlace
-- $1 stream. Its last position, -1 where there is none.
-- not null: place
SELECT coalesce(
  (SELECT stream_position FROM events
   WHERE stream_id = $1
     AND global_position >= coalesce((SELECT max(until_position) FROM event_partitions WHERE sealed_at IS NOT NULL), 1)
   ORDER BY stream_position DESC LIMIT 1),
  (SELECT last_position FROM stream_partitions WHERE stream_id = $1 ORDER BY from_position DESC LIMIT 1),
  -1) AS place

-- name: readFromSnapshot
-- $1 stream, $2 state version, $3 at most so many events
-- Out: the snapshot of that state version if there is one (its event_type is NULL), then the events after it; each row with the
-- server's life (see server_life), which is that of the moment
-- not null: stream_id, stream_position, data, metadata, life
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
WITH snapshot AS (SELECT stream_position, data FROM snapshots WHERE stream_id = $1 AND state_version = $2)
SELECT NULL::bigint AS global_position, $1 AS stream_id, stream_position, NULL AS event_type, data,
  '{}'::jsonb AS metadata, NULL::timestamptz AS created_at, (SELECT server_life()) AS life
FROM snapshot
UNION ALL
SELECT e.global_position, e.stream_id, e.stream_position, e.event_type, e.data, e.metadata, e.created_at, (SELECT server_life())
FROM (SELECT coalesce((SELECT stream_position FROM snapshot), -1) AS place OFFSET 0) AS after
CROSS JOIN LATERAL events_of_stream($1, after.place, after.place + $3::int) e
ORDER BY stream_position

-- name: readSnapshot
-- $1 stream, $2 state version
-- type: data = import('./types.js').JsonObject
SELECT stream_position, data FROM snapshots WHERE stream_id = $1 AND state_version = $2

-- name: saveSnapshot
-- $1 stream, $2 stream position, $3 state, $4 state version. An older one never takes the place of a newer one;
-- one at the same place does, since the one that is there may be broken.
INSERT INTO snapshots AS s (stream_id, stream_position, data, state_version) VALUES ($1, $2, $3, $4)
ON CONFLICT (stream_id) DO UPDATE
SET stream_position = $2, data = $3, state_version = $4, created_at = now()
WHERE (s.state_version, s.stream_position) <= ($4, $2)

-- name: readAll
-- $1 after this global position, $2 at most so many positions, $3 event types (NULL: all)
-- Out: one row at least; `first` is the first position in Postgres, `through` the last one looked at, the rest is NULL where there is
-- no such event. What is before `first` is in the archive: a window that begins there is read there.
-- Positions are gapless and in commit order, so a reader never has to look back.
-- The inner LIMIT keeps every plan, also one made for any window, on the index.
-- not null: first, through
-- null: global_position, stream_id, stream_position, event_type, data, metadata, created_at
-- type: data = import('./types.js').JsonObject
-- type: metadata = import('./types.js').EventMetadata
SELECT w.first, w.through, e.*
FROM (
  SELECT coalesce((SELECT min(global_position) FROM events), 1) AS first,
    greatest($1::bigint, least($1 + $2::int, (SELECT coalesce(max(global_position), 0) FROM events)))::bigint AS through
) w
LEFT JOIN LATERAL (
  SELECT global_position, stream_id, stream_position, event_type, data, metadata, created_at
  FROM events WHERE global_position > $1 AND global_position <= w.through
  ORDER BY global_position LIMIT $2
) e ON $3::text[] IS NULL OR e.event_type = ANY ($3)
ORDER BY e.global_position

-- name: headPosition
SELECT global_position FROM events ORDER BY global_position DESC LIMIT 1

-- name: positionAt
-- $1 moment. Out: the last position whose event was appended by then, its millisecond included; where there is none, the one before
-- the first in Postgres; and whether that is in the archive, or 0.
-- Positions are gapless and created_at never goes back, so halving finds it, in as many look-ups as the position has bits.
-- not null: global_position, is_archived
WITH RECURSIVE search (low, high) AS (
  SELECT coalesce(min(global_position), 1) - 1, coalesce(max(global_position), 0) FROM events
  UNION ALL
  SELECT CASE WHEN m.reached THEN m.middle ELSE s.low END, CASE WHEN m.reached THEN s.high ELSE m.middle - 1 END
  FROM search s
  CROSS JOIN LATERAL (
    SELECT (s.low + s.high + 1) / 2 AS middle,
      (SELECT created_at FROM events WHERE global_position = (s.low + s.high + 1) / 2)
        < $1::timestamptz + interval '1 millisecond' AS reached
  ) m
  WHERE s.low < s.high
)
SELECT low AS global_position, low > 0 AND low < (SELECT min(global_position) FROM events) AS is_archived
FROM search WHERE low = high

-- name: findCommandResult
-- $1 command id, $2 hash of the body
-- Out: also where Postgres wrote that it was asked: a commit that writes waits for the synchronous standby, which then has the
-- command too
-- not null: same_body, asked_at
-- type: result = import('./types.js').JsonObject
SELECT body_hash = $2 AS same_body, result, pg_logical_emit_message(true, 'tidings', '')::text AS asked_at
FROM commands WHERE command_id = $1
