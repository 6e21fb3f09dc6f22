-- name: findLacking
-- Which of these tables have no partition for this month or the next.
-- In: $1 the tables
-- not null: table, month
SELECT parent AS "table", to_char(month, 'YYYY-MM') AS month
FROM unnest($1::text[]) AS parent
CROSS JOIN LATERAL (
  SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month')::date AS month FROM generate_series(0, 1) n
) AS months
WHERE NOT has_month_partition(parent, month)
