-- Has requests that are just being accepted join the groups of their recipients (see docs/grouping.md): the group of a user,
-- producer, type and key that is open at the instant of acceptance, else a new one. Part of accept_notifications.
--
-- In:  the JSON array of requests, of which those count that have "group": {key, actorId, actorName, windowMs}, and of their deliveries
--      those with "isGrouped"; the ids of those that are accepted
-- Out: the group of each request and recipient, by "requestId/userId". A new one has the id of the delivery that opened it: the one to
--      the inbox, where there is one.
--
-- Promises
--   Of several calls at once that find no open group, one opens it, and the others wait and join that.
--   Groups are found in the order of user, producer, type and key, and then locked in that of their ids.
CREATE OR REPLACE FUNCTION join_notification_groups(requests jsonb, accepted uuid[]) RETURNS jsonb
LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  members jsonb;
  joined jsonb;
BEGIN
  SELECT jsonb_agg(m) INTO members
    FROM (
      SELECT DISTINCT ON (r."requestId", d."userId") r."requestId", r.n, r.at, r.producer, r.type, d."userId",
             d."deliveryId" AS "groupId", g.*
        FROM ROWS FROM (jsonb_to_recordset(requests) AS ("requestId" uuid, producer text, type text, "group" jsonb, deliveries jsonb,
                                                          at timestamptz))
               WITH ORDINALITY AS r("requestId", producer, type, "group", deliveries, at, n)
        CROSS JOIN LATERAL jsonb_to_record(r."group") AS g(key text, "actorId" text, "actorName" text, "windowMs" bigint)
        CROSS JOIN LATERAL jsonb_to_recordset(r.deliveries) AS d("deliveryId" uuid, "userId" text, channel text, "isGrouped" boolean)
        WHERE r."requestId" = ANY (accepted) AND d."isGrouped"
        ORDER BY r."requestId", d."userId", d.channel = 'in_app' DESC, d."deliveryId"
    ) AS m;
  IF members IS NULL THEN
    RETURN '{}';
  END IF;

  WITH wanted AS (
    SELECT DISTINCT ON (m."userId", m.producer, m.type, m.key) m.*
      FROM jsonb_to_recordset(members) AS m("userId" text, producer text, type text, key text, "groupId" uuid, at timestamptz,
                                           "windowMs" bigint, n bigint)
      ORDER BY m."userId", m.producer, m.type, m.key, m.n
  ), open AS (
    INSERT INTO open_notification_groups AS o (user_id, producer, notification_type, group_key, group_id, opened_at, closes_at)
      SELECT w."userId", w.producer, w.type, w.key, w."groupId", w.at, w.at + w."windowMs" * interval '1 millisecond'
        FROM wanted w ORDER BY w."userId", w.producer, w.type, w.key
      ON CONFLICT (user_id, producer, notification_type, group_key) DO UPDATE
        SET group_id = CASE WHEN o.closes_at <= excluded.opened_at THEN excluded.group_id ELSE o.group_id END,
            opened_at = CASE WHEN o.closes_at <= excluded.opened_at THEN excluded.opened_at ELSE o.opened_at END,
            closes_at = CASE WHEN o.closes_at <= excluded.opened_at THEN excluded.closes_at ELSE o.closes_at END
      RETURNING o.*
  ), made AS (
    INSERT INTO notification_groups (group_id, closes_at) SELECT open.group_id, open.closes_at FROM open
      ON CONFLICT (group_id) DO NOTHING
  )
  SELECT jsonb_agg(jsonb_build_object('requestId', m."requestId", 'userId', m."userId", 'groupId', open.group_id,
                                      'actorId', m."actorId", 'actorName', m."actorName") ORDER BY m.n)
    INTO joined
    FROM jsonb_to_recordset(members) AS m("requestId" uuid, "userId" text, producer text, type text, key text, "actorId" text,
                                         "actorName" text, n bigint)
    JOIN open ON open.user_id = m."userId" AND open.producer = m.producer AND open.notification_type = m.type AND open.group_key = m.key;

  PERFORM add_group_actors(array_agg(j."groupId"), array_agg(j."actorId"), array_agg(j."actorName"))
    FROM jsonb_to_recordset(joined) AS j("groupId" uuid, "actorId" text, "actorName" text);

  RETURN (SELECT jsonb_object_agg(j."requestId" || '/' || j."userId", j."groupId")
            FROM jsonb_to_recordset(joined) AS j("requestId" uuid, "userId" text, "groupId" uuid));
END;
$$;
