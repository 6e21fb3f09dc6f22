-- name: lockInbox
-- In: $1 user
-- Out: the number of the inbox's last change; nothing where nothing ever came to it
SELECT last_change AS change FROM inboxes WHERE user_id = $1 FOR UPDATE;

-- name: next
-- The next items that an action applies to, in the order of their last changes.
-- In: $1 user, $2 READ, UNREAD, ARCHIVE or UNARCHIVE, $3 changed after this number, $4 up to this one, $5 at most so many
SELECT item_id AS "itemId", change
FROM inbox_entries
WHERE user_id = $1 AND change > $3 AND change <= $4
  AND CASE $2::text
        WHEN 'READ' THEN read_at IS NULL
        WHEN 'UNREAD' THEN read_at IS NOT NULL
        WHEN 'ARCHIVE' THEN archived_at IS NULL
        WHEN 'UNARCHIVE' THEN archived_at IS NOT NULL
      END
ORDER BY change LIMIT $5;

-- name: mark
-- Its caller holds the inbox's lock: every item that changes takes the next number, in the order of the inbox.
-- In: $1 user, $2 READ, UNREAD, ARCHIVE or UNARCHIVE, $3 item ids, $4 now
-- Out: one row: how many items changed
-- not null: changed
WITH chosen AS (
  SELECT item_id, created_at, row_number() OVER (ORDER BY created_at, item_id) AS nth
  FROM (SELECT DISTINCT w.item_id AS wanted FROM unnest($3::uuid[]) AS w (item_id)) AS w
  CROSS JOIN LATERAL (
    SELECT * FROM inbox_entries WHERE item_id = w.wanted AND created_at >= uuid_earliest(w.wanted)
    OFFSET 0
  ) AS i
  WHERE user_id = $1
    AND CASE $2::text
          WHEN 'READ' THEN read_at IS NULL
          WHEN 'UNREAD' THEN read_at IS NOT NULL
          WHEN 'ARCHIVE' THEN archived_at IS NULL
          WHEN 'UNARCHIVE' THEN archived_at IS NOT NULL
        END
), marked AS (
  UPDATE inbox_entries i
  SET read_at = CASE $2::text WHEN 'READ' THEN $4::timestamptz WHEN 'UNREAD' THEN NULL ELSE i.read_at END,
      archived_at = CASE $2::text WHEN 'ARCHIVE' THEN $4::timestamptz WHEN 'UNARCHIVE' THEN NULL ELSE i.archived_at END,
      change = inboxes.last_change + chosen.nth
  FROM chosen, inboxes
  WHERE i.item_id = chosen.item_id AND i.created_at = chosen.created_at AND inboxes.user_id = $1
), numbered AS (
  UPDATE inboxes SET last_change = last_change + (SELECT count(*) FROM chosen) WHERE user_id = $1
)
SELECT count(*) AS changed FROM chosen;
