-- name: ensurePartitions
SELECT ensure_event_partitions() AS made

-- name: sealPartition
-- One step; see prisma/functions/seal_event_partition.sql.
SELECT seal_event_partition() AS more
