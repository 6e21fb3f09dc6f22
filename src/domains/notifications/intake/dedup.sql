-- name: findAccepted
-- In: $1 producers, $2 notification ids, $3 only what was first seen after these instants: three arrays of one length
-- Out: a row for each that was accepted, with its place in the arrays ("n", from 1): the first response and the hash of
--      its body
-- not null: n
-- type: response = import('./request.js').Acceptance
SELECT asked.n::int AS n, ids.body_hash AS "bodyHash", ids.response
FROM unnest($1::text[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS asked (producer, notification_id, since, n)
JOIN notification_ids ids ON ids.producer = asked.producer AND ids.notification_id = asked.notification_id
WHERE ids.first_seen >= asked.since;
