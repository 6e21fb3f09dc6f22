-- The newest version of the one row that says how far rollups have come. As newest_schedule() reads its table.
CREATE OR REPLACE FUNCTION newest_rollup_state() RETURNS SETOF notification_rollup_state
LANGUAGE sql STABLE ROWS 1
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  SELECT * FROM notification_rollup_state WHERE id = 1 ORDER BY turn DESC LIMIT 1;
$$;
