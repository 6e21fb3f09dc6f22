-- name: forgetCommands
-- Rows are only ever inserted here, so a row's place stays its own between the look and the deletion.
-- In: $1 accepted before this instant, $2 at most so many
DELETE FROM commands
WHERE ctid = ANY (ARRAY(SELECT ctid FROM commands WHERE created_at < $1 LIMIT $2));
