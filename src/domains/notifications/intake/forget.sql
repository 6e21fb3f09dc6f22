-- name: forgetIds
-- Ids that are free again. Deleting one changes nothing for its producer: an id this old would be taken over anyway.
-- In: $1 first seen before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM notification_ids
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM notification_ids
  WHERE first_seen < $1 AND first_seen >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY first_seen LIMIT $2 FOR UPDATE SKIP LOCKED));
