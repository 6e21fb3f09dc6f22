-- name: readHead
-- 0 for an empty log.
-- not null: head
SELECT coalesce(max(global_position), 0) AS head FROM events

-- name: readLags
-- One row a projector; log and checkpoints as of one moment.
-- not null: lag
SELECT projector_name, (SELECT coalesce(max(global_position), 0) FROM events) - coalesce(projector_position(projector_name), 0) AS lag
FROM projectors
