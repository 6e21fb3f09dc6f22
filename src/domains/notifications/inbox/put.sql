-- name: put
-- In: $1 a JSON array of items, in order; $2 now; see put_inbox_items
SELECT put_inbox_items($1, $2);
