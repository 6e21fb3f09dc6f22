-- The days (UTC) of which no partition but the default one has any part.
--
-- In:  the table; the first day, and the day after the last
CREATE OR REPLACE FUNCTION uncovered_days(parent text, since date, until date) RETURNS SETOF date
LANGUAGE sql STABLE AS $$
  WITH bounds AS MATERIALIZED (
    SELECT coalesce(substring(bound FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity') AS begin_at,
      coalesce(substring(bound FROM 'TO \(''([^'']+)''\)')::timestamptz, 'infinity') AS end_at
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) AS bound
    WHERE inhparent = parent::regclass AND bound <> 'DEFAULT'
  )
  SELECT since + n FROM generate_series(0, until - since - 1) AS n
  WHERE NOT EXISTS (
    SELECT FROM bounds
    WHERE begin_at < (since + n + 1)::timestamp AT TIME ZONE 'UTC' AND end_at > (since + n)::timestamp AT TIME ZONE 'UTC')
  ORDER BY 1;
$$;
