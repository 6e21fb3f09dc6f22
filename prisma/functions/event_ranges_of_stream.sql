-- In which parts of the log a stream's events are: a range of positions for each sealed partition that has some of them, and one for
-- all that is not sealed, which has to be looked at. Refuses with SQLSTATE TA001 where some of those asked for are in the archive.
--
-- In:  stream; the events asked for: after and through which place in the stream, between which positions of the log (exclusive)
-- Out: low_position (inclusive), high_position (exclusive); after and through which place. To be used together, row by row: a planner
--      that knows the places and not the positions would take the wrong index.
--
-- One statement sees it and the events as of one moment: a partition that is sealed meanwhile is in one range or the other.
CREATE OR REPLACE FUNCTION event_ranges_of_stream(stream text, after int, through int, above bigint, below bigint)
RETURNS TABLE (low_position bigint, high_position bigint, after_place int, through_place int)
LANGUAGE sql STABLE AS $$
  SELECT
    CASE WHEN p.archived_at IS NULL THEN s.from_position ELSE archived_events(s.stream_id, s.from_position) END,
    s.until_position, greatest(after, s.first_position - 1), least(through, s.last_position)
  FROM stream_partitions s JOIN event_partitions p ON p.from_position = s.from_position
  WHERE s.stream_id = stream AND s.last_position > after AND s.first_position <= through
    AND s.until_position - 1 > above AND s.from_position < below
    AND p.sealed_at IS NOT NULL
  UNION ALL
  SELECT coalesce((SELECT max(until_position) FROM event_partitions WHERE sealed_at IS NOT NULL), 1), 9223372036854775807,
    after, through
$$;
