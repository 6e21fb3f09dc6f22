-- name: ensurePartitions
SELECT ensure_event_partitions() AS made
