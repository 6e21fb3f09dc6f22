-- By hand: Prisma would drop the table with what is in it.

LOCK TABLE pending_messages IN ACCESS EXCLUSIVE MODE;
-- What was added and taken up since it was copied, and what was done.
INSERT INTO outbox (key, kind, payload, correlation_id, attempts, due_at)
SELECT 'commerce.message:' || stream_id || '@' || stream_position, 'commerce.message',
  jsonb_build_object('streamId', stream_id, 'streamPosition', stream_position), correlation_id, attempts, due_at
FROM pending_messages p
WHERE NOT EXISTS (
  SELECT FROM outbox o
  WHERE o.key = 'commerce.message:' || p.stream_id || '@' || p.stream_position AND o.due_at = p.due_at)
ON CONFLICT (key) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at;
DELETE FROM outbox o
WHERE o.kind = 'commerce.message'
  AND NOT EXISTS (SELECT FROM pending_messages p WHERE 'commerce.message:' || p.stream_id || '@' || p.stream_position = o.key);
DROP TABLE pending_messages;

-- Processes of the version before read and write what is pending by the former name until they have ended; those of this
-- version do not use it. They take rows by their place.
CREATE VIEW pending_messages AS
SELECT ctid AS "ctid", (payload ->> 'streamId')::varchar(255) AS stream_id,
  (payload ->> 'streamPosition')::int AS stream_position, correlation_id, attempts, due_at
FROM outbox WHERE kind = 'commerce.message';

CREATE FUNCTION add_former_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (key, kind, payload, correlation_id, due_at)
  VALUES ('commerce.message:' || NEW.stream_id || '@' || NEW.stream_position, 'commerce.message',
    jsonb_build_object('streamId', NEW.stream_id, 'streamPosition', NEW.stream_position), NEW.correlation_id, NEW.due_at)
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END;
$$;
CREATE TRIGGER pending_messages_insert INSTEAD OF INSERT ON pending_messages
  FOR EACH ROW EXECUTE FUNCTION add_former_message();
