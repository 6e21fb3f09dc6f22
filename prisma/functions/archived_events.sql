-- Refuses, with SQLSTATE TA001: the requested events are in the archive. Readers that have it catch the code and read them there.
--
-- In:  stream; the first position of the partition that has them
CREATE OR REPLACE FUNCTION archived_events(stream text, partition bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RAISE EXCEPTION 'events of stream % are in the archive: in the partition from position %', stream, partition
    USING ERRCODE = 'TA001';
END;
$$;
