-- name: isKnownCommand
-- $1 command id
-- not null: known
SELECT EXISTS (SELECT FROM commands WHERE command_id = $1) AS known

-- name: findShared
-- $1 post id, $2 sharer's user id. What a share of this post shares: the post itself, or what it shares. That never
-- changes; whether the sharer may see both may change.
-- not null: is_seen
-- type: visibility = import('../types.js').Visibility
SELECT o.post_id, o.visibility, may_see_post(p.post_id, sharer.id) AND may_see_post(o.post_id, sharer.id) AS is_seen
FROM posts p JOIN posts o ON o.post_id = coalesce(p.shared_post_id, p.post_id)
LEFT JOIN users sharer ON sharer.user_id = $2
WHERE p.post_id = $1

-- name: findAuthor
-- $1 post id, deleted or not
SELECT u.user_id, p.shared_post_id FROM posts p JOIN users u ON u.id = p.author_id WHERE p.post_id = $1

-- name: findEdits
-- $1 post ids, $2 at most of each. Their edits: the latest of them, oldest first.
-- not null: position
SELECT e.post_id AS "postId", e.position::text, e.edited_at AS "editedAt" FROM unnest($1::uuid[]) AS post (id)
CROSS JOIN LATERAL (
  SELECT post_id, edited_at, position FROM post_edits WHERE post_id = post.id ORDER BY position DESC LIMIT $2
) e
ORDER BY e.position

-- name: findEditTexts
-- $1 post ids, $2 positions (two arrays of one length). Each post's text before its edit at the position; in their order.
-- null: content
SELECT e.content FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS place (post_id, position, number)
LEFT JOIN post_edits e USING (post_id, position)
ORDER BY place.number

-- name: isTurn
-- $1 post ids. Whether one of them is pulled and follows, in its author's order, on none or on one that was pushed.
-- not null: turned
SELECT EXISTS (
  SELECT FROM posts p
  WHERE p.post_id = ANY ($1::uuid[]) AND p.distribution = 'pull' AND (
    SELECT o.distribution FROM posts o WHERE o.author_id = p.author_id AND o.position < p.position
    ORDER BY o.position DESC LIMIT 1
  ) IS DISTINCT FROM 'pull'
) AS turned
