-- name: findSource
-- $1 version.
SELECT seen_after FROM rate_limit_sources WHERE version = $1

-- name: addSource
-- $1 version. The first process records what had been put by then; no later one changes it.
INSERT INTO rate_limit_sources (version, seen_after)
SELECT $1, COALESCE(MAX(sequence), 0) FROM rate_limit_rules
ON CONFLICT DO NOTHING
