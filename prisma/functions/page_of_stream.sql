-- A page of a stream's events, nearest to a place first, read in the order of their index. Statistics know how many events streams
-- have on average: by these a plan that reads all events of a long stream, and sorts them, looks as cheap. Partitions beyond the page
-- are not looked into. Refuses with SQLSTATE TA001 where some of the events asked for are in the archive.
--
-- In:  stream; after and through which place in it; between which positions of the log (exclusive), a mere filter within a
--      partition; whether it goes from older to newer, how many at most
-- Out: the events in that order
CREATE OR REPLACE FUNCTION page_of_stream(
  stream text, after int, through int, above bigint, below bigint, to_newer boolean, most int)
RETURNS SETOF events
LANGUAGE plpgsql STABLE ROWS 20
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
DECLARE
  direction int := CASE WHEN to_newer THEN 1 ELSE -1 END;
  found int;
  lacking int := most;
  r record;
BEGIN
  FOR r IN
    SELECT * FROM event_ranges_of_stream(stream, after, through, above, below) ORDER BY direction * low_position
  LOOP
    IF to_newer THEN
      RETURN QUERY SELECT * FROM events e
        WHERE e.stream_id = stream AND e.stream_position > r.after_place AND e.stream_position <= r.through_place
          -- As in events_of_stream; the page's own bounds are for no index.
          AND e.global_position >= r.low_position AND e.global_position < ANY (ARRAY[r.high_position])
          AND e.global_position + 0 > above AND e.global_position + 0 < below
        ORDER BY e.stream_position LIMIT lacking;
    ELSE
      RETURN QUERY SELECT * FROM events e
        WHERE e.stream_id = stream AND e.stream_position > r.after_place AND e.stream_position <= r.through_place
          AND e.global_position >= r.low_position AND e.global_position < ANY (ARRAY[r.high_position])
          AND e.global_position + 0 > above AND e.global_position + 0 < below
        ORDER BY e.stream_position DESC LIMIT lacking;
    END IF;
    GET DIAGNOSTICS found = ROW_COUNT;
    lacking := lacking - found;
    EXIT WHEN lacking = 0;
  END LOOP;
END;
$$;
