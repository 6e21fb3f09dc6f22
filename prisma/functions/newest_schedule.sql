-- The newest version of a task's schedule, none where there is no such task. It stands first in the index: one look, however many
-- older ones vacuum may not remove. By statistics, which say that a task has one row, a bitmap of all of them looks as cheap.
--
-- In:  the task's name
-- Out: its place in the table, its turn, when it is due
CREATE OR REPLACE FUNCTION newest_schedule(task text) RETURNS TABLE (place tid, turn bigint, due_at timestamptz)
LANGUAGE sql STABLE ROWS 1
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  SELECT s.ctid, s.turn, s.due_at FROM schedules s WHERE s.name = task ORDER BY s.turn DESC LIMIT 1;
$$;
