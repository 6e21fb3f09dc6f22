-- name: readTime
-- Out: the database's time, in ms since the epoch
-- not null: now
SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now;
