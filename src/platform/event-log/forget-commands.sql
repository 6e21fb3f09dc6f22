-- name: forgetCommands
-- Rows are only ever inserted here, so a row's place stays its own between the look and the deletion.
-- In the order of the index: without one, rows that stay might be read for those that go.
-- In: $1 accepted before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM commands
WHERE ctid = ANY (ARRAY(SELECT ctid FROM commands WHERE created_at < $1
  AND created_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY created_at LIMIT $2));
