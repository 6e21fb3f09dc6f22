-- name: lockGroups
-- Holds groups, in one order, so that no two callers wait for each other in a circle.
-- In: $1 group ids
-- Out: those that there are
-- type: told = import('./pace.js').GroupState['told']
SELECT group_id AS "groupId", actor_count AS count, told
FROM notification_groups
WHERE group_id = ANY ($1::uuid[])
ORDER BY group_id
FOR UPDATE;

-- name: newestActors
-- The newest people of held groups. Asked once they are held: nobody joins or withdraws then.
-- In: $1 group ids, $2 how many of each
-- Out: a row for each, the newest of a group first
SELECT w.group_id AS "groupId", a.actor_name AS name, a.nth
FROM unnest($1::uuid[]) AS w (group_id)
CROSS JOIN LATERAL (
  SELECT actor_name, nth FROM notification_group_actors WHERE group_id = w.group_id ORDER BY nth DESC LIMIT $2
) AS a
ORDER BY w.group_id, a.nth DESC;

-- name: pending
-- In: $1 delivery ids
-- Out: those that still wait
SELECT delivery_id AS "deliveryId" FROM pending_deliveries WHERE delivery_id = ANY ($1::uuid[]);

-- name: putOff
-- In: $1 held deliveries, $2 when each is due again (two arrays of one length)
UPDATE deliveries d SET due_at = e.due_at
FROM unnest($1::uuid[], $2::timestamptz[]) AS e (delivery_id, due_at)
WHERE d.delivery_id = ANY ($1::uuid[]) AND d.created_at >= (SELECT uuids_earliest($1)) AND d.delivery_id = e.delivery_id
  AND d.status = 'SCHEDULED';

-- name: noteTold
-- In: $1 held groups, $2 channels, $3 what was told as JSON (three arrays of one length, no group and channel twice)
UPDATE notification_groups g SET told = g.told || t.told
FROM (
  SELECT group_id, jsonb_object_agg(channel, telling) AS told
  FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS t (group_id, channel, telling)
  GROUP BY group_id
) AS t
WHERE g.group_id = ANY ($1::uuid[]) AND g.group_id = t.group_id;

-- name: affirm
-- Somebody acted again: where a group is open, they are in it, whoever withdrew them.
-- In: $1 recipients, $2 type, $3 key, $4 the one who acted, $5 their name, $6 now
SELECT add_group_actors(array_agg(o.group_id), array_agg($4::text), array_agg($5::text))
FROM open_notification_groups o
WHERE o.user_id = ANY ($1::text[]) AND o.notification_type = $2 AND o.group_key = $3 AND o.closes_at > $6;

-- name: withdraw
-- Somebody takes back what they did: the groups of these recipients do not count them any more, unless they acted again since.
-- In: $1 recipients, $2 type, $3 key, $4 the one who acted, $5 an instant, by the database's clock, at which it was undone already
WITH held AS (
  SELECT g.group_id FROM notification_groups g
  WHERE g.group_id = ANY (ARRAY(
    SELECT o.group_id FROM open_notification_groups o
    WHERE o.user_id = ANY ($1::text[]) AND o.notification_type = $2 AND o.group_key = $3))
  ORDER BY g.group_id
  FOR UPDATE
), gone AS (
  DELETE FROM notification_group_actors a
  WHERE a.group_id = ANY (ARRAY(SELECT group_id FROM held)) AND a.actor_id = $4 AND a.affirmed_at <= $5
  RETURNING a.group_id
)
UPDATE notification_groups g SET actor_count = g.actor_count - 1
FROM gone WHERE g.group_id = gone.group_id;
