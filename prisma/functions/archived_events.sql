-- Refuses, with SQLSTATE TA001: events that were asked for are in the archive. Whoever can reads them there.
--
-- In:  stream; the first position of the partition that has them
CREATE OR REPLACE FUNCTION archived_events(stream text, partition bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RAISE EXCEPTION 'events of stream % are in the archive: in the partition from position %', stream, partition
    USING ERRCODE = 'TA001';
END;
$$;
