-- name: allForward
-- What lies in a user's inbox, newest first, older than the cursor.
-- In: $1 user, $2 and $3 the cursor's instant and item, $4 at most so many
SELECT item_id AS "itemId" FROM inbox_entries
WHERE user_id = $1 AND archived_at IS NULL AND (created_at, item_id) < ($2::timestamptz, $3::uuid)
ORDER BY created_at DESC, item_id DESC LIMIT $4;

-- name: allBackward
-- The same, newer than the cursor, the nearest first.
SELECT item_id AS "itemId" FROM inbox_entries
WHERE user_id = $1 AND archived_at IS NULL AND (created_at, item_id) > ($2::timestamptz, $3::uuid)
ORDER BY created_at, item_id LIMIT $4;

-- name: unreadForward
SELECT item_id AS "itemId" FROM inbox_entries
WHERE user_id = $1 AND read_at IS NULL AND archived_at IS NULL
  AND (created_at, item_id) < ($2::timestamptz, $3::uuid)
ORDER BY created_at DESC, item_id DESC LIMIT $4;

-- name: unreadBackward
SELECT item_id AS "itemId" FROM inbox_entries
WHERE user_id = $1 AND read_at IS NULL AND archived_at IS NULL
  AND (created_at, item_id) > ($2::timestamptz, $3::uuid)
ORDER BY created_at, item_id LIMIT $4;

-- name: archivedForward
SELECT item_id AS "itemId" FROM inbox_entries
WHERE user_id = $1 AND archived_at IS NOT NULL AND (created_at, item_id) < ($2::timestamptz, $3::uuid)
ORDER BY created_at DESC, item_id DESC LIMIT $4;

-- name: archivedBackward
SELECT item_id AS "itemId" FROM inbox_entries
WHERE user_id = $1 AND archived_at IS NOT NULL AND (created_at, item_id) > ($2::timestamptz, $3::uuid)
ORDER BY created_at, item_id LIMIT $4;
