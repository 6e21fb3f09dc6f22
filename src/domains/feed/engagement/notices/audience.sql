-- The recipients of notices, as of now. In all of them
--   In:  arrays: $1 actors' user ids, $2 subjects
--   Out: one row for each recipient: which entry of the arrays it is about (from 1), their user id, the end of the
--        notification's id (at most 48 characters: the same for all recipients of one thing), its variables, and what of
--        others it shows: the post, and the comment where that is quoted; the feed's rules check both. There are no rows for
--        what was undone meanwhile, or what the recipient may not see or does not want to be notified of.

-- name: liked
-- Subjects: posts. To the author; an id of post and user, so that liking again sends nothing.
-- not null: n, key, variables
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, author.user_id AS "userId", p.post_id || ':' || actor.id AS key,
  jsonb_build_object('person', actor.display_name, 'person_id', actor.user_id, 'post_id', p.post_id,
    'reaction', lower(r.kind), 'excerpt', nullif(left(p.content, 100), '')) AS variables,
  NULL::uuid AS "postId", NULL AS comment
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN users actor ON actor.user_id = n.actor
JOIN posts p ON p.post_id = n.subject::uuid AND p.deleted_at IS NULL
JOIN reactions r ON r.post_id = p.post_id AND r.user_id = actor.id
JOIN users author ON author.id = p.author_id
WHERE may_hear_of(author.id, actor.id)

-- name: unliked
-- Subjects: posts whose actors do not react to them any more. To the author; "undoneAt": an instant at which that was so, by the
-- database's clock.
-- not null: n, undoneAt
SELECT n.n, author.user_id AS "userId", p.post_id AS "postId", actor.user_id AS "actorId", statement_timestamp() AS "undoneAt"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN users actor ON actor.user_id = n.actor
JOIN posts p ON p.post_id = n.subject::uuid
JOIN users author ON author.id = p.author_id
WHERE NOT EXISTS (SELECT FROM reactions r WHERE r.post_id = p.post_id AND r.user_id = actor.id)

-- name: commented
-- Subjects: comments. To the post's author.
-- not null: n, key, variables
-- null: postId, comment
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, author.user_id AS "userId", c.comment_id::text AS key,
  jsonb_build_object('person', actor.display_name, 'person_id', actor.user_id, 'post_id', p.post_id,
    'comment_id', c.comment_id, 'excerpt', left(c.content, 100)) AS variables,
  p.post_id AS "postId", c.content AS comment
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN comments c ON c.comment_id = n.subject::uuid AND c.deleted_at IS NULL
JOIN users actor ON actor.id = c.author_id
JOIN posts p ON p.post_id = c.post_id AND p.deleted_at IS NULL
JOIN users author ON author.id = p.author_id
WHERE may_hear_of(author.id, actor.id)

-- name: replied
-- Subjects: comments. See comment_reply_listeners.
-- not null: n, key, variables
-- null: postId, comment
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, other.user_id AS "userId", c.comment_id::text AS key,
  jsonb_build_object('author', actor.display_name, 'author_id', actor.user_id, 'post_id', p.post_id,
    'comment_id', c.comment_id, 'excerpt', left(c.content, 100)) AS variables,
  p.post_id AS "postId", c.content AS comment
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN comments c ON c.comment_id = n.subject::uuid AND c.deleted_at IS NULL
JOIN users actor ON actor.id = c.author_id
JOIN posts p ON p.post_id = c.post_id AND p.deleted_at IS NULL
CROSS JOIN LATERAL comment_reply_listeners(c.comment_id) AS listener (id)
JOIN users other ON other.id = listener.id
WHERE may_hear_of(other.id, actor.id) AND may_see_post(p.post_id, other.id)

-- name: shared
-- Subjects: posts that share another. To the other's author.
-- not null: n, key, variables
-- null: postId
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, author.user_id AS "userId", s.post_id::text AS key,
  jsonb_build_object('person', actor.display_name, 'person_id', actor.user_id, 'post_id', p.post_id,
    'share_id', s.post_id, 'excerpt', nullif(left(p.content, 100), '')) AS variables,
  s.post_id AS "postId", NULL AS comment
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN posts s ON s.post_id = n.subject::uuid AND s.deleted_at IS NULL
JOIN users actor ON actor.id = s.author_id
JOIN posts p ON p.post_id = s.shared_post_id AND p.deleted_at IS NULL
JOIN users author ON author.id = p.author_id
WHERE may_hear_of(author.id, actor.id) AND may_see_post(s.post_id, author.id)

-- name: published
-- Subjects: posts. To those who made its author a close friend and still follow them: the first 1,000 of them, the most of one
-- request.
-- not null: n, key, variables
-- null: postId
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, friend.user_id AS "userId", p.post_id::text AS key,
  jsonb_build_object('author', actor.display_name, 'author_id', actor.user_id, 'post_id', p.post_id,
    'excerpt', nullif(left(p.content, 100), '')) AS variables,
  p.post_id AS "postId", NULL AS comment
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN posts p ON p.post_id = n.subject::uuid AND p.deleted_at IS NULL
JOIN users actor ON actor.id = p.author_id
CROSS JOIN LATERAL (
  SELECT cf.user_id FROM close_friends cf
  JOIN follows f ON f.follower_id = cf.user_id AND f.followee_id = cf.friend_id
  WHERE cf.friend_id = p.author_id AND may_hear_of(cf.user_id, actor.id) AND may_see_post(p.post_id, cf.user_id)
  ORDER BY cf.created_at, cf.user_id LIMIT 1000
) close
JOIN users friend ON friend.id = close.user_id

-- name: followed
-- Subjects: user ids. To the followed user; an id of both, so that following again sends nothing.
-- not null: n, key, variables
-- type: variables = Readonly<Record<string, string | number | null>>
SELECT n.n, followee.user_id AS "userId", actor.id || ':' || followee.id AS key,
  jsonb_build_object('follower', actor.display_name, 'follower_id', actor.user_id,
    'followers', followee.follower_count) AS variables,
  NULL::uuid AS "postId", NULL AS comment
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS n (actor, subject, n)
JOIN users actor ON actor.user_id = n.actor
JOIN counted_users followee ON followee.user_id = n.subject
JOIN follows f ON f.follower_id = actor.id AND f.followee_id = followee.id
WHERE may_hear_of(followee.id, actor.id)

-- name: mentioned
-- $3 log positions of the events.
-- Subjects: posts and comments. To the users whom the event mentions; of a comment not to those who get POST_COMMENTED or
-- COMMENT_REPLY of it. An id of subject and user, so that an edit sends nothing again.
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
JOIN posts p ON p.post_id = coalesce(c.post_id, m.subject_id) AND p.deleted_at IS NULL
WHERE may_hear_of(u.id, actor.id) AND may_see_post(p.post_id, u.id)
  AND (c.comment_id IS NULL OR (c.deleted_at IS NULL AND u.id <> p.author_id
    AND u.id NOT IN (SELECT comment_reply_listeners(c.comment_id))))
