-- name: ensurePartitions
-- not null: made
SELECT ensure_event_partitions() AS made

-- name: sealPartition
-- One step; see prisma/functions/seal_event_partition.sql.
-- not null: more
SELECT seal_event_partition() AS more
