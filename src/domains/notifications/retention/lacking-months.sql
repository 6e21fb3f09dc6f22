-- name: findLacking
-- Which of these tables have days of this month, from today on, or of the next, that no partition but the default one takes.
-- In: $1 the tables
-- not null: table, month
SELECT parent AS "table", to_char(month, 'YYYY-MM') AS month
FROM unnest($1::text[]) AS parent
CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS clock
CROSS JOIN LATERAL (
  SELECT (date_trunc('month', today) + n * interval '1 month')::date AS month FROM generate_series(0, 1) n
) AS months
WHERE EXISTS (SELECT FROM uncovered_days(parent, greatest(month, today), (month + interval '1 month')::date))
