-- name: forgetIds
-- Ids that are free again. Deleting one changes nothing for its producer: an id this old would be taken over anyway.
-- In: $1 first seen before this instant, $2 at most so many
DELETE FROM notification_ids
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM notification_ids WHERE first_seen < $1 ORDER BY first_seen LIMIT $2 FOR UPDATE SKIP LOCKED));
