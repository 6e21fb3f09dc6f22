-- Messages that are pending, a thousand at a time, while everybody goes on with the table: what changes meanwhile is put right
-- by the next migration. The only statement: it runs in no transaction; one that was killed begins anew and changes nothing twice.
DO $$
DECLARE
  last_stream text := '';
  last_position int := -1;
BEGIN
  LOOP
    WITH page AS (
      SELECT * FROM pending_messages
      WHERE (stream_id, stream_position) > (last_stream, last_position)
      ORDER BY stream_id, stream_position LIMIT 1000
    ), copied AS (
      INSERT INTO outbox (key, kind, payload, correlation_id, attempts, due_at)
      SELECT 'commerce.message:' || stream_id || '@' || stream_position, 'commerce.message',
        jsonb_build_object('streamId', stream_id, 'streamPosition', stream_position), correlation_id, attempts, due_at
      FROM page
      ON CONFLICT DO NOTHING
    )
    SELECT stream_id, stream_position INTO last_stream, last_position FROM page ORDER BY stream_id DESC, stream_position DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END;
$$;
