-- Until when the table goes on as it is: to the end of next month, so that processes of the former version, who know no other, are gone
-- by then. Here without a look at what is there.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE inbox_items ADD CONSTRAINT inbox_items_until CHECK (created_at < %L) NOT VALID',
    to_char(date_trunc('month', greatest(now(), (SELECT max(created_at) FROM inbox_items)) AT TIME ZONE 'UTC') + interval '2 months',
            'YYYY-MM-DD"T00:00:00Z"'));
END;
$$;
