-- Until when each of the three tables goes on as it is: to the end of next month. Here without a look at what is there. Each table in
-- a migration of its own: nobody who uses two of them waits in a circle.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE notification_requests ADD CONSTRAINT notification_requests_until CHECK (created_at < %L) NOT VALID',
    to_char(date_trunc('month', greatest(now(), (SELECT max(created_at) FROM notification_requests)) AT TIME ZONE 'UTC')
            + interval '2 months', 'YYYY-MM-DD"T00:00:00Z"'));
END;
$$;
