-- In:  an id
-- Out: before which instant it was not made, by clocks that may be an hour apart: a UUIDv7 says its time, of any other nothing is known
--
-- Made of nothing but immutable functions, so that it becomes part of the statement that calls it.
CREATE OR REPLACE FUNCTION uuid_earliest(id uuid) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE get_byte(uuid_send(id), 6) >> 4
    WHEN 7 THEN to_timestamp((('x' || encode(substr(uuid_send(id), 1, 6), 'hex'))::bit(48)::bigint - 3600000) / 1000::float8)
    ELSE '-infinity'::timestamptz
  END;
$$;
