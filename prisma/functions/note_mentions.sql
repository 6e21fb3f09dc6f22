-- Writes whom a post or a comment mentions, beside its event. Ten users of one post or comment at most, however often it is
-- edited; no user twice, and its author never.
--
-- In:  subject: post or comment id; author: surrogate user id; names: user ids, a JSON array or NULL; log_position: of the
--      event
CREATE OR REPLACE FUNCTION note_mentions(subject uuid, author bigint, names jsonb, log_position bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO mentions (subject_id, user_id, position)
  SELECT subject, u.id, log_position
  FROM jsonb_array_elements_text(coalesce(names, '[]')) WITH ORDINALITY AS given (name, n)
  JOIN users u ON u.user_id = given.name
  WHERE u.id <> author AND NOT EXISTS (SELECT FROM mentions m WHERE m.subject_id = subject AND m.user_id = u.id)
  ORDER BY given.n
  LIMIT greatest(0, 10 - (SELECT count(*) FROM mentions m WHERE m.subject_id = subject))
$$;
