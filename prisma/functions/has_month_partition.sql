-- Whether a month, or a part of it, has a partition that is not the default one.
--
-- In:  the table; the month's first day (UTC)
CREATE OR REPLACE FUNCTION has_month_partition(parent text, month date) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
    WHERE inhparent = parent::regclass AND partition_until(inhrelid) > month::timestamp AT TIME ZONE 'UTC'
      AND coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity')
          < (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END;
$$;
