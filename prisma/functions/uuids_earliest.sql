-- In:  ids
-- Out: before which instant none of them was made, as uuid_earliest has it; of none: no bound
--
-- What is looked up by ids in a table that is partitioned by time is looked up from there on: as a variable, or in a sub-select of its
-- own, so that it is found out once, and older partitions are left out.
CREATE OR REPLACE FUNCTION uuids_earliest(ids uuid[]) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(min(uuid_earliest(id)), '-infinity'::timestamptz) FROM unnest(ids) AS u (id);
$$;
