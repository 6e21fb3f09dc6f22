-- name: register
-- Makes the rows that are missing, due at once.
-- In: $1 names
INSERT INTO schedules (name, due_at) SELECT name, now() FROM unnest($1::text[]) AS name ON CONFLICT DO NOTHING;

-- name: take
-- Takes every task that is due, for as long as a lease lasts. A due time that is further ahead than one interval and a lease
-- was written while the database's clock was wrong: it counts as due.
-- In: $1 names, $2 their intervals in ms, $3 a lease in ms, $4 the run that takes them
-- Out: the names that were taken
WITH task AS (
  SELECT name, every_ms * interval '1 ms' AS every FROM unnest($1::text[], $2::int[]) AS t (name, every_ms)
), due AS (
  SELECT s.name, task.every,
         CASE WHEN s.due_at BETWEEN now() - task.every AND now() THEN s.due_at ELSE now() END AS run_at
  FROM schedules s JOIN task USING (name)
  WHERE s.due_at <= now() OR s.due_at > now() + task.every + $3::int * interval '1 ms'
  FOR UPDATE OF s SKIP LOCKED
)
UPDATE schedules s
SET run_id = $4, next_at = due.run_at + due.every, due_at = now() + $3::int * interval '1 ms'
FROM due WHERE s.name = due.name
RETURNING s.name;

-- name: renew
-- In: $1 the run, $2 the name, $3 a lease in ms
-- Out: a row, unless another run has the task by now
UPDATE schedules SET due_at = now() + $3::int * interval '1 ms'
WHERE run_id = $1 AND name = $2
RETURNING name;

-- name: finish
-- In: $1 the run, $2 the name
UPDATE schedules SET run_id = NULL, due_at = greatest(next_at, now()) WHERE run_id = $1 AND name = $2;

-- name: overdue
-- In: $1 names
-- Out: for how many seconds each has been due
SELECT name, greatest(0, extract(epoch FROM now() - due_at))::float8 AS seconds FROM schedules WHERE name = ANY ($1::text[]);
