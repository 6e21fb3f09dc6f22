-- How far a projector has come; NULL where there is none. The newest version of its row stands first in the index: one look,
-- however many older ones vacuum may not remove. Read another way, the table would be walked from end to end.
--
-- In:  the projector's name
CREATE OR REPLACE FUNCTION projector_position(name text) RETURNS bigint
LANGUAGE sql STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  SELECT position FROM projector_positions WHERE projector_name = name ORDER BY position DESC LIMIT 1;
$$;
