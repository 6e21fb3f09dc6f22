-- Adds people to groups of notifications (see docs/grouping.md). One who is in a group already is counted once: they are only
-- affirmed, see "withdraw" in groups.sql.
--
-- In:  groups, people's ids, and their names: three arrays of one length
--
-- Promises
--   actor_count is the number of the group's rows: both change under the group's lock.
--   Who comes later has a higher number within the group.
--   Groups are locked in one order, that of their ids, by every caller that needs several. One that is gone is left out.
CREATE OR REPLACE FUNCTION add_group_actors(group_ids uuid[], actor_ids text[], names text[]) RETURNS void
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  PERFORM FROM notification_groups g WHERE g.group_id = ANY (group_ids) ORDER BY g.group_id FOR UPDATE;

  WITH coming AS (
    SELECT DISTINCT ON (c.group_id, c.actor_id) c.group_id, c.actor_id, c.name, c.n
    FROM unnest(group_ids, actor_ids, names) WITH ORDINALITY AS c (group_id, actor_id, name, n)
    ORDER BY c.group_id, c.actor_id, c.n DESC
  ), added AS (
    INSERT INTO notification_group_actors AS a (group_id, actor_id, actor_name, nth, affirmed_at)
    SELECT c.group_id, c.actor_id, c.name, g.last_nth + row_number() OVER (PARTITION BY c.group_id ORDER BY c.n), clock_timestamp()
    FROM coming c JOIN notification_groups g ON g.group_id = ANY (group_ids) AND g.group_id = c.group_id
    ON CONFLICT (group_id, actor_id) DO UPDATE SET affirmed_at = excluded.affirmed_at, actor_name = excluded.actor_name
    -- Only a row that was there has been locked by this statement.
    RETURNING a.group_id, a.xmax = 0 AS is_new
  )
  UPDATE notification_groups g SET actor_count = g.actor_count + came.fresh, last_nth = g.last_nth + came.came
  FROM (
    SELECT added.group_id, count(*) FILTER (WHERE added.is_new) AS fresh, count(*) AS came FROM added GROUP BY added.group_id
  ) AS came
  WHERE g.group_id = ANY (group_ids) AND g.group_id = came.group_id;
END;
$$;
