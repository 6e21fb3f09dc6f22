-- A row is changed several times a second. Each change gives it another turn, which is part of the key: its newest version
-- stands first, however many older ones vacuum may not remove. A turn that another process has changed meanwhile is only
-- ever higher.

-- name: register
-- Makes the rows that are missing, due at once.
-- In: $1 names
INSERT INTO schedules (name, due_at)
SELECT name, now() FROM unnest($1::text[]) AS name
WHERE NOT EXISTS (SELECT FROM newest_schedule(name))
ON CONFLICT DO NOTHING;

-- name: take
-- Takes every task that is due, for as long as a lease lasts. A due time that is further ahead than one interval and a lease
-- was written while the database's clock was wrong: it counts as due.
-- In: $1 names, $2 their intervals in ms, $3 a lease in ms, $4 the run that takes them
-- Out: the names that were taken
WITH task AS (
  SELECT name, every_ms * interval '1 ms' AS every FROM unnest($1::text[], $2::int[]) AS t (name, every_ms)
), due AS MATERIALIZED (
  SELECT s.place
  FROM task CROSS JOIN LATERAL newest_schedule(task.name) s
  WHERE s.due_at <= now() OR s.due_at > now() + task.every + $3::int * interval '1 ms'
)
-- By place: joined by key, a plan made while most rows were dead would walk the table.
UPDATE schedules s
SET turn = s.turn + 1, run_id = $4, due_at = now() + $3::int * interval '1 ms',
  next_at = (
    SELECT task.every + CASE WHEN s.due_at BETWEEN now() - task.every AND now() THEN s.due_at ELSE now() END
    FROM task WHERE task.name = s.name)
WHERE s.ctid = ANY (ARRAY(
  SELECT ctid FROM schedules WHERE ctid = ANY (ARRAY(SELECT place FROM due)) FOR UPDATE SKIP LOCKED))
RETURNING s.name;

-- name: renew
-- In: $1 the run, $2 the name, $3 a lease in ms
-- Out: a row, unless another run has the task by now
UPDATE schedules SET turn = turn + 1, due_at = now() + $3::int * interval '1 ms'
WHERE name = $2 AND turn >= (SELECT n.turn FROM newest_schedule($2) n) AND run_id = $1
RETURNING name;

-- name: finish
-- In: $1 the run, $2 the name
UPDATE schedules SET turn = turn + 1, run_id = NULL, due_at = greatest(next_at, now())
WHERE name = $2 AND turn >= (SELECT n.turn FROM newest_schedule($2) n) AND run_id = $1;

-- name: overdue
-- In: $1 names
-- Out: for how many seconds each has been due
-- not null: name, seconds
SELECT name, greatest(0, extract(epoch FROM now() - s.due_at))::float8 AS seconds
FROM unnest($1::text[]) AS name CROSS JOIN LATERAL newest_schedule(name) s;
