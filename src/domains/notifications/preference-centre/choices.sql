-- name: recipientOf
-- To whom a delivery went.
-- In: $1 a delivery id
-- type: channel = import('../channels.js').Channel
SELECT user_id AS "userId", notification_type AS "notificationType", channel
FROM deliveries
WHERE delivery_id = $1::uuid AND created_at >= (SELECT uuid_earliest($1::uuid));

-- name: choicesOf
-- What a user may choose: on which channels they want which types. A bounded look, whatever the tables hold.
-- In: $1 user, $2 the type that comes first, $3 so many of their newest deliveries are looked at, $4 so many of their stored
--     preferences, $5 channels, $6 at most so many types
-- Out: types that they chose before or that were sent to them lately, with the channels over which they came or come: a row
--      for each pair, in the order in which types are shown
-- not null: notificationType, channel, enabled
-- type: channel = import('../channels.js').Channel
WITH recent AS MATERIALIZED (
  SELECT notification_type AS type, channel, row_number() OVER (ORDER BY created_at DESC, delivery_id DESC) AS place
  FROM (SELECT notification_type, channel, created_at, delivery_id FROM deliveries
        WHERE user_id = $1 ORDER BY created_at DESC, delivery_id DESC LIMIT $3::bigint) AS newest
), stored AS MATERIALIZED (
  SELECT notification_type AS type, channel, enabled
  FROM user_notification_prefs WHERE user_id = $1 ORDER BY notification_type, channel LIMIT $4
), types AS MATERIALIZED (
  SELECT type, min(place) AS place
  FROM (SELECT $2::text AS type, 0 AS place
        UNION ALL SELECT type, place FROM recent
        -- After all that was sent lately.
        UNION ALL SELECT type, $3::bigint + 1 FROM stored) AS found
  GROUP BY type ORDER BY 2, 1 LIMIT $6
)
SELECT t.type AS "notificationType", c.channel, coalesce(s.enabled, true) AS enabled
FROM types t
CROSS JOIN unnest($5::text[]) WITH ORDINALITY AS c (channel, place)
LEFT JOIN stored s ON s.type = t.type AND s.channel = c.channel
WHERE s.type IS NOT NULL
   OR EXISTS (SELECT FROM recent r WHERE r.type = t.type AND r.channel = c.channel)
   -- With a limit, so that it is looked up for each: EXISTS may be answered out of a hash of the whole table.
   OR (SELECT true FROM notification_templates a
       WHERE a.notification_type = t.type AND a.channel = c.channel AND a.is_active LIMIT 1) IS NOT NULL
ORDER BY t.place, t.type, c.place;
