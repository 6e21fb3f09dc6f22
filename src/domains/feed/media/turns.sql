-- name: next
-- $1 owner's user id, $2 kind, $3 seconds, as of claim. The upload that waits longest, if one does: ids rise with time.
SELECT media_id FROM media
WHERE owner_id = $1 AND kind = $2 AND state NOT IN ('ready', 'failed')
  AND (state = 'uploaded' OR (state = 'processing' AND touched_at < now() - make_interval(secs => $3 * attempts * attempts)))
ORDER BY media_id LIMIT 1

-- name: stalled
-- $1 seconds, as of claim; $2 at most
-- Owners of uploads that no run works on: their worker was killed, or their job was lost. Where a run is alive that works on another
-- upload of the same owner and kind, its end enqueues the next.
-- type: kind = import('../types.js').Media['kind']
SELECT owner_id, kind FROM media
WHERE state NOT IN ('ready', 'failed') AND state IN ('uploaded', 'processing')
GROUP BY owner_id, kind
HAVING bool_or(touched_at < now() - make_interval(secs => $1 * greatest(1, attempts * attempts)))
  AND NOT bool_or(state = 'processing' AND touched_at >= now() - make_interval(secs => $1))
ORDER BY min(touched_at) LIMIT $2

-- name: owner
-- $1 media id
-- type: kind = import('../types.js').Media['kind']
SELECT owner_id, kind FROM media WHERE media_id = $1
