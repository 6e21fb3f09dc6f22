-- name: writeBack
-- $1 at most so many posts, $2 deltas up to this id were all taken in. See write_back_counts.
-- Deltas are read in their order, some at a time: a post has thousands.
-- Out: one row: how many posts were found, how many deltas were taken in, and the last id that was given out
-- not null: found, lastId, taken
WITH counted AS MATERIALIZED (
  SELECT DISTINCT post_id
  FROM (SELECT post_id FROM post_count_deltas WHERE id > $2 ORDER BY id LIMIT 50000) d
  ORDER BY post_id LIMIT $1
)
SELECT (SELECT count(*) FROM counted)::int AS found, (SELECT last_value FROM post_count_deltas_id_seq) AS "lastId",
  write_back_counts(ARRAY(SELECT post_id FROM counted)) AS taken

-- name: waiting
-- $1 as $2 of writeBack. How many deltas are not written back yet, counted up to 100,000.
-- not null: waiting
SELECT count(*) AS waiting FROM (SELECT FROM post_count_deltas WHERE id > $1 ORDER BY id LIMIT 100000) d
