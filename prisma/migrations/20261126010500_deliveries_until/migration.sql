-- To the same instant as notification_requests.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE deliveries ADD CONSTRAINT deliveries_until CHECK (created_at < %L) NOT VALID', (
    SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''')::timestamptz
    FROM pg_constraint c WHERE c.conname = 'notification_requests_until' AND c.conrelid = 'notification_requests'::regclass));
END;
$$;
