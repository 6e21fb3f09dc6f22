-- name: begin
-- $1 media id, $2 owner's user id, $3 kind, $4 content type, $5 storage key
-- Before the first byte is stored: however the upload ends, this row leads to its file.
INSERT INTO media (media_id, owner_id, kind, content_type, storage_key, bytes, state)
VALUES ($1, $2, $3, $4, $5, 0, 'receiving')

-- name: complete
-- $1 media id, $2 bytes. Out: no row where the sweeper removed it as abandoned.
-- type: kind = import('../types.js').Media['kind']
-- type: state = import('../types.js').Media['state'] | 'receiving' | 'removing'
-- type: renditions = readonly import('./media.js').StoredRendition[]
UPDATE media SET state = 'uploaded', bytes = $2, touched_at = now() WHERE media_id = $1 AND state = 'receiving'
RETURNING media_id, kind, state, storage_key, renditions, failure_reason

-- name: abandon
-- $1 media id
DELETE FROM media WHERE media_id = $1 AND state = 'receiving'
