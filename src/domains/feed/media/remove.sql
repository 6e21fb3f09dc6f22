-- name: begin
-- $1 media ids. See begin_media_removal.
-- not null: media_id, kind, storage_key
-- type: kind = import('../types.js').Media['kind']
SELECT id AS media_id, media_kind AS kind, key AS storage_key FROM begin_media_removal($1::uuid[])

-- name: forget
-- $1 media ids. Their files are gone.
DELETE FROM media WHERE media_id = ANY ($1::uuid[]) AND state = 'removing'

-- name: interrupted
-- $1 seconds without a heartbeat, $2 at most. Uploads that broke off with their api, removals with their worker.
SELECT media_id FROM media
WHERE state NOT IN ('ready', 'failed') AND state IN ('receiving', 'removing')
  AND touched_at < now() - make_interval(secs => $1)
ORDER BY touched_at LIMIT $2

-- name: unused
-- $1, $2 the first and the last media id to be checked, $3 at most
-- Those that nothing holds: see unheld_media. Ids rise with time: an index range is a range of ages.
-- not null: media_id
SELECT m.media_id FROM unheld_media() m
WHERE m.media_id BETWEEN $1 AND $2 AND m.state IN ('ready', 'failed')
ORDER BY m.media_id LIMIT $3
