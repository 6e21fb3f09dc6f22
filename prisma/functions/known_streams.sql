-- Which of these streams have events.
--
-- In:  stream ids
CREATE OR REPLACE FUNCTION known_streams(streams text[]) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
  SELECT stream FROM unnest(streams) AS stream
  -- Scalar, so that no plan reads a table to hash it.
  WHERE coalesce(
    (SELECT true FROM stream_partitions s WHERE s.stream_id = stream LIMIT 1),
    (SELECT true FROM events e
     WHERE e.stream_id = stream
       AND e.global_position >= coalesce((SELECT max(until_position) FROM event_partitions WHERE sealed_at IS NOT NULL), 1)
     LIMIT 1),
    false)
$$;
