-- What workers of a former version call to forget requests, whatever partition they are in; those of this one say which
-- (forget_requests_of), and let months go as a whole.
CREATE OR REPLACE FUNCTION forget_requests(after_at timestamptz, after_id uuid, before timestamptz, most int, most_events int)
RETURNS TABLE ("lastAt" timestamptz, "lastId" uuid, "isLast" boolean, forgotten int)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT * FROM forget_requests_of('notification_requests', after_at, after_id, before, most, most_events);
END;
$$;
