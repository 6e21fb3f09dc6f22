-- The lifecycle events that a row of delivery_events stands for. What a delivery goes through at one instant, from CREATED to QUEUED,
-- is one row of the last of these, so that accepting a delivery writes one row and its index entries instead of five.
--
-- In:  of the row: number, event, detail, earlier
-- Out: its events, each with its own number
--
-- Made of nothing but immutable functions, so that it becomes part of the statement that calls it.
CREATE OR REPLACE FUNCTION lifecycle_events_of(last_number int, last_event text, last_detail jsonb, earlier jsonb)
RETURNS TABLE (number int, event text, detail jsonb)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (last_number - jsonb_array_length(earlier) - 1 + e.n)::int, e.step ->> 'event', e.step -> 'detail'
    FROM jsonb_array_elements(earlier) WITH ORDINALITY AS e (step, n)
    WHERE earlier IS NOT NULL
  UNION ALL
  SELECT last_number, last_event, last_detail;
$$;
