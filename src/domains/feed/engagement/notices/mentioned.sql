-- name: mentioned
-- As the statements of audience.sql, and $3 log positions of the events.
-- Subjects: posts and comments. To the users whom the event mentions; of a comment neither to the post's author nor to the author
-- of the comment that it replies to, who get other notices. An id of subject and user, so that an edit sends nothing again.
-- not null: n, key, variables
-- null: postId, comment
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, u.user_id AS "userId", m.subject_id || ':' || u.id AS key,
  jsonb_build_object('person', actor.display_name, 'person_id', actor.user_id, 'post_id', p.post_id,
    'comment_id', c.comment_id, 'excerpt', left(coalesce(c.content, p.content), 100)) AS variables,
  p.post_id AS "postId", c.content AS comment
FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS n (actor, subject, position, n)
JOIN mentions m ON m.subject_id = n.subject::uuid AND m.position = n.position
JOIN users u ON u.id = m.user_id
JOIN users actor ON actor.user_id = n.actor
LEFT JOIN comments c ON c.comment_id = m.subject_id
LEFT JOIN comments answered ON answered.comment_id = c.reply_to_id
JOIN posts p ON p.post_id = coalesce(c.post_id, m.subject_id) AND p.deleted_at IS NULL
WHERE may_hear_of(u.id, actor.id) AND may_see_post(p.post_id, u.id)
  AND (c.comment_id IS NULL OR (c.deleted_at IS NULL AND u.id <> p.author_id
    AND u.id IS DISTINCT FROM answered.author_id))
