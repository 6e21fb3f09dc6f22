-- name: forgetActors
-- People of groups that closed long ago, before the groups themselves.
-- In: $1 closed before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM notification_group_actors
WHERE ctid = ANY (ARRAY(
  SELECT a.ctid
  FROM (
    SELECT group_id FROM notification_groups
    WHERE closes_at < $1 AND closes_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
    ORDER BY closes_at LIMIT $2
  ) AS g
  CROSS JOIN LATERAL (SELECT ctid FROM notification_group_actors WHERE group_id = g.group_id LIMIT $2) AS a
  LIMIT $2));

-- name: forgetGroups
-- Those that have nobody any more.
-- In: $1 closed before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
WITH gone AS (
  DELETE FROM notification_groups
  WHERE ctid = ANY (ARRAY(
    SELECT g.ctid FROM notification_groups g
    WHERE g.closes_at < $1 AND g.closes_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
      AND NOT EXISTS (SELECT FROM notification_group_actors a WHERE a.group_id = g.group_id)
    ORDER BY g.closes_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING group_id
), summaries AS (
  DELETE FROM notification_group_summaries WHERE group_id = ANY (ARRAY(SELECT group_id FROM gone))
)
SELECT FROM gone;

-- name: forgetOpen
-- What says which group is open, where it has closed: the next notification would take its row over anyway.
-- In: $1 closed before this instant, $2 at most so many, $3 milliseconds to look back from $1, NULL for everything
DELETE FROM open_notification_groups
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM open_notification_groups
  WHERE closes_at < $1 AND closes_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY closes_at LIMIT $2 FOR UPDATE SKIP LOCKED));
