-- name: findObjects
-- $1 post ids. The columns of a cached post object; a deleted post has its version alone.
-- not null: isDeleted, labels, media
-- type: visibility = import('../types.js').Visibility
-- type: distribution = import('../types.js').Post['distribution']
-- type: media = readonly import('../media/media.js').MediaRow[]
SELECT p.post_id AS "postId", p.version, p.deleted_at IS NOT NULL AS "isDeleted", u.user_id AS "authorId", p.content, p.visibility,
  p.shared_post_id AS "sharedPostId", p.distribution, p.labels, p.fingerprint::text AS fingerprint, p.created_at AS "createdAt",
  p.edited_at AS "editedAt",
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('media_id', m.media_id, 'kind', m.kind, 'state', m.state,
      'storage_key', m.storage_key, 'renditions', m.renditions, 'failure_reason', m.failure_reason)
      ORDER BY array_position(p.media_ids, m.media_id))
    FROM media m WHERE m.media_id = ANY (p.media_ids)), '[]') AS media
FROM posts p JOIN users u ON u.id = p.author_id
WHERE p.post_id = ANY ($1::uuid[])
