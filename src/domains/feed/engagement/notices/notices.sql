-- name: wanted
-- In:  arrays: $1 notification types, $2 actors' user ids, $3 subjects, $4 log positions
-- Out: the entries of the arrays (from 1) that may have recipients: not likes of one's own posts, nor posts of authors whom no user
--      made a close friend
-- not null: n
SELECT n.n::int
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS n (type, actor, subject, position, n)
WHERE CASE n.type
  WHEN 'NEW_POST' THEN EXISTS (
    SELECT FROM close_friends cf JOIN users u ON u.id = cf.friend_id WHERE u.user_id = n.actor)
  WHEN 'POST_LIKED' THEN NOT EXISTS (
    SELECT FROM posts p JOIN users u ON u.id = p.author_id WHERE p.post_id = n.subject::uuid AND u.user_id = n.actor)
  WHEN 'USER_MENTIONED' THEN EXISTS (
    SELECT FROM mentions m WHERE m.subject_id = n.subject::uuid AND m.position = n.position)
  ELSE true END
