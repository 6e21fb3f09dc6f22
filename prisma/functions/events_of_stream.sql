-- The events of a stream, in no order. Looks into those partitions only that have some of them.
--
-- In:  stream; after and through which place in it; between which positions of the log (exclusive)
CREATE OR REPLACE FUNCTION events_of_stream(
  stream text, after int, through int, above bigint DEFAULT 0, below bigint DEFAULT 9223372036854775807)
RETURNS SETOF events
LANGUAGE sql STABLE AS $$
  SELECT e.*
  FROM event_ranges_of_stream(stream, after, through, above, below) r
  CROSS JOIN LATERAL (
    SELECT * FROM events
    WHERE stream_id = stream AND stream_position > r.after_place AND stream_position <= r.through_place
      -- ANY: two plain bounds would be taken for so narrow a range that the index by position is read instead.
      AND global_position >= r.low_position AND global_position < ANY (ARRAY[r.high_position])
    OFFSET 0
  ) e
  WHERE e.global_position > above AND e.global_position < below
$$;
