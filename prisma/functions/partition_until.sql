-- In:  a partition by time
-- Out: before which instant all of its rows are; NULL of a default partition
CREATE OR REPLACE FUNCTION partition_until(partition oid) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz FROM pg_class c WHERE c.oid = partition;
$$;
