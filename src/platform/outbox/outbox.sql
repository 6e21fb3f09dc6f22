-- name: add
-- In: $1 kind; arrays: $2 keys, $3 payloads, $4 correlation ids; $5 milliseconds until they are due; $6 an array of trace contexts
--     or NULLs
-- What is there already stays as it is, but for a correlation id that it lacks, and the trace context that comes with it.
INSERT INTO outbox (key, kind, payload, correlation_id, due_at, traceparent)
SELECT entry.key, $1, entry.payload::jsonb, entry.correlation_id, now() + $5::float8 * interval '1 millisecond', entry.traceparent
FROM unnest($2::text[], $3::text[], $4::text[], $6::text[]) AS entry (key, payload, correlation_id, traceparent)
ON CONFLICT (key) DO UPDATE SET correlation_id = excluded.correlation_id, traceparent = excluded.traceparent
  WHERE outbox.correlation_id = '' AND excluded.correlation_id <> '';

-- name: claim
-- Takes what is due, the longest overdue first, and makes it due again later, should it still be there.
-- In: $1 kind, $2 at most, $3 milliseconds to look back, NULL for everything, $4 and $5 milliseconds of the first and of
--     the longest interval
-- Out: payloads, correlation ids and trace contexts, and how often each was claimed
-- By place, since the rows are locked: joined by key, a plan made while all rows of the table were dead would walk the table.
UPDATE outbox SET attempts = attempts + 1,
  due_at = now() + least($4::float8 * 2 ^ least(attempts, 30), $5::float8) * interval '1 millisecond'
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM outbox
  WHERE kind = $1 AND due_at <= now() AND due_at >= coalesce(now() - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
))
RETURNING key, payload, correlation_id AS "correlationId", traceparent, attempts;

-- name: release
-- Makes claimed entries due again, as if they had not been claimed.
-- In: $1 keys
UPDATE outbox SET attempts = greatest(attempts - 1, 0), due_at = now() WHERE key = ANY ($1::text[]);

-- name: complete
-- In: $1 keys
-- Names no kind: whatever the plan was made from, there is no other index to look by.
DELETE FROM outbox WHERE key = ANY ($1::text[]);
