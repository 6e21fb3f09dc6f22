-- name: note
-- Arrays: $1 log positions, $2 notification types, $3 actors' user ids, $4 subjects, $5 correlation ids; in the transaction
-- of the projector's checkpoint. What nobody waits to hear of is left out: likes of one's own, posts of whom nobody made
-- a close friend.
INSERT INTO feed_notices (position, type, actor, subject, correlation_id, due_at)
SELECT n.position, n.type, n.actor, n.subject, n.correlation_id, now()
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
  AS n (position, type, actor, subject, correlation_id)
WHERE CASE n.type
  WHEN 'NEW_POST' THEN EXISTS (
    SELECT FROM close_friends cf JOIN users u ON u.id = cf.friend_id WHERE u.user_id = n.actor)
  WHEN 'POST_LIKED' THEN NOT EXISTS (
    SELECT FROM posts p JOIN users u ON u.id = p.author_id WHERE p.post_id = n.subject::uuid AND u.user_id = n.actor)
  WHEN 'USER_MENTIONED' THEN EXISTS (
    SELECT FROM mentions m WHERE m.subject_id = n.subject::uuid AND m.position = n.position)
  ELSE true END
ON CONFLICT DO NOTHING

-- name: claim
-- $1 at most, $2 milliseconds to look back, NULL for everything. What is due, the longest overdue first; should its teller die, each is due again after 10 s, 20 s, 40 s and
-- so on, an hour at last.
-- By place, since the rows are locked: joined by key, a plan made while all rows of the table were dead would walk the table.
UPDATE feed_notices f SET attempts = attempts + 1,
  due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM feed_notices
  WHERE due_at <= now() AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
  ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
))
RETURNING f.position, f.type, f.actor, f.subject, f.correlation_id AS "correlationId"

-- name: settle
-- Arrays: $1 log positions, $2 types. There is nothing more to tell of these.
DELETE FROM feed_notices f USING unnest($1::bigint[], $2::text[]) AS done (position, type)
WHERE f.position = done.position AND f.type = done.type
