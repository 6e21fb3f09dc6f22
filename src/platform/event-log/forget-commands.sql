-- name: forgetCommands
-- Rows are only ever inserted here, so a row's place stays its own between the look and the deletion.
-- In the order of the index: without one, rows that stay might be read for those that go.
-- In: $1 accepted before this instant, $2 at most so many
DELETE FROM commands
WHERE ctid = ANY (ARRAY(SELECT ctid FROM commands WHERE created_at < $1 ORDER BY created_at LIMIT $2));
