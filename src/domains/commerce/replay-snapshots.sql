-- name: find
-- In: $1 stream, $2 which view of it, $3 its version, $4 no later than this millisecond, $5 nor after this position of the log
-- Out: the last one
SELECT stream_position AS "streamPosition", at, state
FROM replay_snapshots
WHERE stream_id = $1 AND view = $2 AND view_version = $3
  AND at < $4::timestamptz + interval '1 millisecond' AND global_position <= $5
ORDER BY at DESC, stream_position DESC LIMIT 1;

-- name: save
-- In: $1 stream, $2 and $3 the view and its version, $4 position in the stream, $5 in the log, $6 when, $7 the view's state
INSERT INTO replay_snapshots (stream_id, view, view_version, stream_position, global_position, at, state)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT DO NOTHING;

-- name: forget
-- Rows are only ever inserted, so a row's place stays its own.
-- In: $1 made before this instant, $2 at most so many, $3 milliseconds to look back from there, NULL for everything
DELETE FROM replay_snapshots
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM replay_snapshots
  WHERE created_at < $1 AND created_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY created_at LIMIT $2));
