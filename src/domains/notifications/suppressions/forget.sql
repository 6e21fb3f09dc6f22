-- name: forgetRemoved
-- In: $1 removed before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM address_suppressions
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM address_suppressions
  WHERE removed_at < $1 AND removed_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY removed_at LIMIT $2 FOR UPDATE SKIP LOCKED));

-- name: forgetSoftBounces
-- In: $1 from before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM soft_bounces
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM soft_bounces
  WHERE at < $1 AND at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED));
