-- name: record
-- $1 keys, $2 topics. Rows without keys have nothing to be applied.
INSERT INTO missed_redis_writes (keys, topics, applied_at)
VALUES ($1, $2, CASE WHEN cardinality($1::text[]) = 0 THEN clock_timestamp() END)

-- name: look
-- $1 snapshot of the last look, null at the first; $2 snapshot in which no keys waited; $3 rows at most.
-- What a snapshot does not show was written by a transaction that ran then, or that began later: each row is found once,
-- in whichever order rows become visible, and nothing is walked that was applied before.
-- Out: what one snapshot shows. `snapshot`: itself. `recent`: rows with topics that $1 did not show, [id, topics].
-- `epoch`: the accepted one of Redis, null for none; `life`: that, and where it was accepted again `.` and how often;
-- `uses`: grows as often as processes say that they use it; `acceptedMs`: milliseconds since it was accepted.
-- Each range is read in the order of its index: the planner, which cannot know how few rows it has, would read the table.
-- not null: snapshot, hasUnapplied, recent
-- null: epoch
-- type: recent = readonly import('./missed-writes.js').RecentRow[]
SELECT
  pg_current_snapshot()::text AS snapshot,
  (
    SELECT count(*) > 0 FROM (
      (SELECT FROM missed_redis_writes
        WHERE applied_at IS NULL AND keys <> '{}' AND xid >= pg_snapshot_xmax($2::pg_snapshot)
        ORDER BY xid, id LIMIT 1)
      UNION ALL
      (SELECT FROM missed_redis_writes
        WHERE applied_at IS NULL AND keys <> '{}' AND xid = ANY (ARRAY(SELECT pg_snapshot_xip($2::pg_snapshot)))
        ORDER BY xid, id LIMIT 1)
    ) waiting
  ) AS "hasUnapplied",
  accepted.epoch,
  accepted.epoch || CASE WHEN accepted.returns > 0 THEN '.' || accepted.returns ELSE '' END AS life,
  accepted.uses + used.last_value AS uses,
  (extract(epoch FROM clock_timestamp() - accepted.accepted_at) * 1000)::float8 AS "acceptedMs",
  coalesce((
    SELECT json_agg(json_build_array(id, topics)) FROM (
      (SELECT id, topics FROM missed_redis_writes
        WHERE topics <> '{}' AND xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))
        ORDER BY xid LIMIT $3)
      UNION ALL
      (SELECT id, topics FROM missed_redis_writes
        WHERE topics <> '{}' AND xid >= pg_snapshot_xmax($1::pg_snapshot)
        ORDER BY xid LIMIT $3)
    ) rows
  ), '[]') AS recent
FROM redis_uses used
LEFT JOIN (SELECT epoch, returns, uses, accepted_at FROM redis_epochs ORDER BY number DESC LIMIT 1) accepted ON true

-- name: unapplied
-- $1 snapshot in which no keys waited; $2 and $3 transaction and id of the last row that was read, both 0 at first; $4 rows
-- at most.
-- Out: `life` as in `look`, of the same snapshot as the rows: until another is accepted, only the server of this one is
-- made up for. `rows`: [transaction, id, keys], in the order of transactions.
-- not null: rows
-- type: rows = readonly (readonly [xid: string, id: number, keys: readonly string[]])[]
SELECT
  (
    SELECT epoch || CASE WHEN returns > 0 THEN '.' || returns ELSE '' END FROM redis_epochs ORDER BY number DESC LIMIT 1
  ) AS life,
  coalesce((
    SELECT json_agg(json_build_array(xid::text, id, keys) ORDER BY xid, id) FROM (
      SELECT xid, id, keys FROM missed_redis_writes
      WHERE applied_at IS NULL AND keys <> '{}'
        AND xid >= pg_snapshot_xmin($1::pg_snapshot) AND (xid, id) > ($2::text::xid8, $3::bigint)
      ORDER BY xid, id LIMIT $4
    ) rows
  ), '[]') AS rows

-- name: markApplied
-- $1 ids. Locked in their order: several processes may apply the same rows at once.
UPDATE missed_redis_writes SET applied_at = clock_timestamp()
WHERE id IN (SELECT id FROM missed_redis_writes WHERE id = ANY ($1::bigint[]) AND applied_at IS NULL ORDER BY id FOR UPDATE)

-- name: forget
-- $1 minutes since they were applied, $2 rows at most, $3 milliseconds to look back from there, NULL for everything.
DELETE FROM missed_redis_writes
WHERE id = ANY (ARRAY(
  SELECT id FROM missed_redis_writes WHERE applied_at < now() - make_interval(mins => $1)
    AND applied_at >= coalesce(now() - make_interval(mins => $1) - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY applied_at LIMIT $2
))

-- name: acceptEpoch
-- $1 epoch: run id, `/`, replication id; $2 and $3 epoch and `uses` of the accepted one where nobody seems to use it, else null.
-- A server that never was accepted is the newest, and so is the accepted one with another replication id. One that was left
-- for another, whatever its replication id is now, is accepted only if that other one is the one given and was not used
-- meanwhile. What waited until now concerns earlier lives: nothing of theirs is read in a new one.
WITH newest AS (
  SELECT number, split_part(epoch, '/', 1) AS server, (epoch, uses + last_value) = ($2::text, $3::bigint) AS "isUnused"
  FROM redis_epochs, redis_uses ORDER BY number DESC LIMIT 1
),
accepted AS (
  INSERT INTO redis_epochs AS known (epoch)
  SELECT $1::text
  WHERE NOT EXISTS (SELECT FROM redis_epochs WHERE split_part(epoch, '/', 1) = split_part($1::text, '/', 1))
    OR EXISTS (SELECT FROM newest WHERE server = split_part($1::text, '/', 1) OR "isUnused")
  ON CONFLICT (epoch) DO UPDATE
  SET number = excluded.number, returns = known.returns + 1, uses = known.uses + 1, accepted_at = clock_timestamp()
  WHERE known.number < (SELECT number FROM newest WHERE "isUnused")
  RETURNING epoch
)
UPDATE missed_redis_writes SET applied_at = clock_timestamp()
WHERE applied_at IS NULL AND keys <> '{}' AND EXISTS (SELECT FROM accepted)

-- name: noteUse
-- $1 epoch, $2 its `uses` as it was seen. Nothing happens where another process was faster. A row that is updated in place would be
-- looked for among all its dead versions each time; a sequence has none.
SELECT nextval('redis_uses')
FROM (SELECT epoch, uses FROM redis_epochs ORDER BY number DESC LIMIT 1) accepted, redis_uses used
WHERE accepted.epoch = $1 AND accepted.uses + used.last_value = $2::bigint
