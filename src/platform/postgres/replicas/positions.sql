-- Positions of the write-ahead log are bytes since its beginning.

-- name: readPrimary
-- Out: up to where a primary has written, a commit that it has acknowledged included, and its timeline: another after a failover
-- not null: position, timeline
SELECT pg_wal_lsn_diff(here, '0/0')::bigint AS position, left(pg_walfile_name(here), 8) AS timeline
FROM pg_current_wal_insert_lsn() here;

-- name: readReplica
-- Out: up to where a replica shows what was written; null: it has replayed nothing, or is no replica
-- not null: isReplica
SELECT pg_is_in_recovery() AS "isReplica", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint AS position;
