-- By hand, as the messages before.

LOCK TABLE feed_notices IN ACCESS EXCLUSIVE MODE;
INSERT INTO outbox (key, kind, payload, correlation_id, attempts, due_at)
SELECT 'feed.notice:' || position || ':' || type, 'feed.notice',
  jsonb_build_object('position', position, 'type', type, 'actor', actor, 'subject', subject), correlation_id, attempts, due_at
FROM feed_notices n
WHERE NOT EXISTS (
  SELECT FROM outbox o WHERE o.key = 'feed.notice:' || n.position || ':' || n.type AND o.due_at = n.due_at)
ON CONFLICT (key) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at;
DELETE FROM outbox o
WHERE o.kind = 'feed.notice' AND NOT EXISTS (SELECT FROM feed_notices n WHERE 'feed.notice:' || n.position || ':' || n.type = o.key);
DROP TABLE feed_notices;

-- For processes of the version before, until they have ended.
CREATE VIEW feed_notices AS
SELECT ctid AS "ctid", (payload ->> 'position')::bigint AS position, (payload ->> 'type')::varchar(32) AS type,
  (payload ->> 'actor')::varchar(64) AS actor, (payload ->> 'subject')::varchar(64) AS subject,
  correlation_id, attempts, due_at
FROM outbox WHERE kind = 'feed.notice';

CREATE FUNCTION add_former_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (key, kind, payload, correlation_id, due_at)
  VALUES ('feed.notice:' || NEW.position || ':' || NEW.type, 'feed.notice',
    jsonb_build_object('position', NEW.position, 'type', NEW.type, 'actor', NEW.actor, 'subject', NEW.subject),
    NEW.correlation_id, NEW.due_at)
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END;
$$;
CREATE TRIGGER feed_notices_insert INSTEAD OF INSERT ON feed_notices
  FOR EACH ROW EXECUTE FUNCTION add_former_notice();
