-- name: visible
-- $1 media ids, $2 reader's user id or null
-- Those that are the reader's own, or in a post that they may see.
-- type: kind = import('../types.js').Media['kind']
-- type: state = import('../types.js').Media['state'] | 'receiving' | 'removing'
-- type: renditions = readonly import('./media.js').StoredRendition[]
SELECT m.media_id, m.kind, m.state, m.storage_key, m.renditions, m.failure_reason
FROM media m
WHERE m.media_id = ANY ($1::uuid[]) AND m.state NOT IN ('receiving', 'removing')
  AND (m.owner_id = $2 OR EXISTS (
    SELECT FROM posts p
    WHERE p.media_ids @> ARRAY[m.media_id] AND p.media_ids <> '{}'
      AND may_see_post(p.post_id, (SELECT u.id FROM users u WHERE u.user_id = $2))))

-- name: holding
-- $1 media ids. The posts that hold one of them, deleted or not.
SELECT p.post_id FROM posts p WHERE p.media_ids && $1::uuid[] AND p.media_ids <> '{}'
