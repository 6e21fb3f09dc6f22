-- name: prepareSummaries
-- Has something to hold of each group and channel. One of a group that is gone is left out.
-- In: $1 group ids, $2 channels (two arrays of one length)
INSERT INTO notification_group_summaries (group_id, channel)
SELECT g.group_id, w.channel
FROM unnest($1::uuid[], $2::text[]) AS w (group_id, channel) JOIN notification_groups g ON g.group_id = w.group_id
ORDER BY g.group_id, w.channel
ON CONFLICT DO NOTHING;

-- name: lockSummaries
-- Holds the last summaries, in one order, so that no two callers wait for each other in a circle. Who joins a group waits for nobody here.
-- In: $1 group ids, $2 channels (two arrays of one length)
-- Out: those that there are
-- type: channel = import('../channels.js').Channel
-- type: summary = import('./pace.js').Summary
SELECT t.group_id AS "groupId", t.channel, t.summary
FROM notification_group_summaries t
WHERE t.group_id = ANY ($1::uuid[]) AND (t.group_id, t.channel) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
ORDER BY t.group_id, t.channel
FOR UPDATE OF t;

-- name: people
-- In one statement, so that what it reads belongs together: everybody who is seen came before all who are not.
-- In: $1 group ids, $2 how many of the newest people
-- Out: those that there are; "newest": the newest first
-- not null: newest
-- type: newest = readonly { readonly name: string; readonly nth: number }[]
SELECT g.group_id AS "groupId", g.actor_count AS count,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('name', n.actor_name, 'nth', n.nth) ORDER BY n.nth DESC)
    FROM (
      SELECT a.actor_name, a.nth FROM notification_group_actors a WHERE a.group_id = g.group_id ORDER BY a.nth DESC LIMIT $2
    ) AS n), '[]') AS newest
FROM notification_groups g
WHERE g.group_id = ANY ($1::uuid[]);

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

-- name: recordSummaries
-- In: $1 group ids, $2 channels, $3 summaries as JSON (three arrays of one length): held ones
UPDATE notification_group_summaries t SET summary = n.summary
FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS n (group_id, channel, summary)
WHERE t.group_id = ANY ($1::uuid[]) AND t.group_id = n.group_id AND t.channel = n.channel;

-- name: affirm
-- Somebody acted again: where a group is open, they are in it, though they were withdrawn.
-- In: $1 recipients, $2 producer, $3 type, $4 key, $5 the one who acted, $6 their name, $7 now
SELECT add_group_actors(array_agg(o.group_id), array_agg($5::text), array_agg($6::text))
FROM open_notification_groups o
WHERE o.user_id = ANY ($1::text[]) AND o.producer = $2 AND o.notification_type = $3 AND o.group_key = $4 AND o.closes_at > $7;

-- name: withdraw
-- Somebody takes back what they did: the groups of these recipients do not count them any more, unless they acted again since.
-- In: $1 recipients, $2 producer, $3 type, $4 key, $5 the one who acted, $6 an instant, by the database's clock, at which it was undone already
WITH held AS (
  SELECT g.group_id FROM notification_groups g
  WHERE g.group_id = ANY (ARRAY(
    SELECT o.group_id FROM open_notification_groups o
    WHERE o.user_id = ANY ($1::text[]) AND o.producer = $2 AND o.notification_type = $3 AND o.group_key = $4))
  ORDER BY g.group_id
  FOR UPDATE
), gone AS (
  DELETE FROM notification_group_actors a
  WHERE a.group_id = ANY (ARRAY(SELECT group_id FROM held)) AND a.actor_id = $5 AND a.affirmed_at <= $6
  RETURNING a.group_id
)
UPDATE notification_groups g SET actor_count = g.actor_count - 1
FROM gone WHERE g.group_id = gone.group_id;
