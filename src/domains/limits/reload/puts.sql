-- name: newestPut
-- $1 the put that is known already, or 0: its document is not sent again, NULL comes instead.
SELECT sequence, version, CASE WHEN sequence <> $1 THEN document END AS document,
  put_by AS "putBy", put_at AS "putAt", correlation_id AS "correlationId"
FROM rate_limit_rules ORDER BY sequence DESC LIMIT 1

-- name: lockPuts
-- Until the transaction ends nobody else puts a document.
SELECT pg_advisory_xact_lock(hashtextextended('rate limit rules', 0));

-- name: addPut
-- $1 version, $2 document, $3 user, $4 time, $5 correlation id.
INSERT INTO rate_limit_rules (version, document, put_by, put_at, correlation_id)
VALUES ($1, $2, $3, $4, $5)
RETURNING sequence, version, document,
  put_by AS "putBy", put_at AS "putAt", correlation_id AS "correlationId"

-- name: holdsEverywhere
-- $1 version. Whether the newest put is of this version, and newer than every source that any process has seen.
-- not null: holds
SELECT version = $1 AND NOT EXISTS (SELECT FROM rate_limit_sources WHERE seen_after >= sequence) AS holds
FROM rate_limit_rules ORDER BY sequence DESC LIMIT 1

-- name: putsForward
-- Newest first. $1 before this sequence or NULL, $2 at most.
SELECT sequence, version, document,
  put_by AS "putBy", put_at AS "putAt", correlation_id AS "correlationId"
FROM rate_limit_rules WHERE $1::int IS NULL OR sequence < $1
ORDER BY sequence DESC LIMIT $2

-- name: putsBackward
-- The same, the other way: what is newer than $1, the oldest of it first.
SELECT sequence, version, document,
  put_by AS "putBy", put_at AS "putAt", correlation_id AS "correlationId"
FROM rate_limit_rules WHERE $1::int IS NULL OR sequence > $1
ORDER BY sequence LIMIT $2
