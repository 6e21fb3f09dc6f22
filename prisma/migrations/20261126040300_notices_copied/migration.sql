-- Notices that are pending, a thousand at a time, as the messages before.
DO $$
DECLARE
  last_position bigint := -1;
  last_type text := '';
BEGIN
  LOOP
    WITH page AS (
      SELECT * FROM feed_notices WHERE (position, type) > (last_position, last_type) ORDER BY position, type LIMIT 1000
    ), copied AS (
      INSERT INTO outbox (key, kind, payload, correlation_id, attempts, due_at)
      SELECT 'feed.notice:' || position || ':' || type, 'feed.notice',
        jsonb_build_object('position', position, 'type', type, 'actor', actor, 'subject', subject), correlation_id, attempts, due_at
      FROM page
      ON CONFLICT DO NOTHING
    )
    SELECT position, type INTO last_position, last_type FROM page ORDER BY position DESC, type DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END;
$$;
