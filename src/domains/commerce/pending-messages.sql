-- name: note
-- Arrays: $1 streams, $2 stream positions, $3 correlation ids
INSERT INTO pending_messages (stream_id, stream_position, correlation_id, due_at)
SELECT *, now() + interval '10 seconds' FROM unnest($1::text[], $2::int[], $3::text[])
ON CONFLICT DO NOTHING

-- name: settle
-- $1 stream, $2 stream position
DELETE FROM pending_messages WHERE stream_id = $1 AND stream_position = $2

-- name: takeUpOverdue
-- $1 at most, $2 milliseconds to look back, NULL for everything. Messages that should have been sent by now, the longest overdue first; each is due again after 10 s, 20 s,
-- 40 s and so on, an hour at last.
-- By place, since the rows are locked: joined by key, a plan made while all rows of the table were dead would walk the table.
UPDATE pending_messages p SET attempts = attempts + 1,
  due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM pending_messages
  WHERE due_at < now() AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
  ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
))
RETURNING p.stream_id AS "streamId", p.stream_position AS "streamPosition", p.correlation_id AS "correlationId"
