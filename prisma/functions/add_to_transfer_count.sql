-- Changes how many transfers of a source, or of an owner, are pending. The newest version of the row stands first in the index, however
-- many older ones vacuum may not remove; the append lock, which the caller holds, keeps it where it is.
--
-- An owner without pending transfers has no sources: a source whose transfers were started under two owners' names, as beside processes
-- of earlier versions, adds itself to one of them and may be subtracted from the other.
--
-- In:  `source` and an account, or `owner` and a user; by how much, and of an owner by how many sources
-- Out: the row as it is then
CREATE OR REPLACE FUNCTION add_to_transfer_count(counted_by text, counted text, transfers int, changed_sources int DEFAULT 0)
RETURNS transfer_counts
LANGUAGE plpgsql AS $$
DECLARE
  changed transfer_counts%ROWTYPE;
BEGIN
  UPDATE transfer_counts SET turn = turn + 1, pending = pending + transfers,
      sources = CASE WHEN pending + transfers > 0 THEN greatest(sources + changed_sources, 0) ELSE 0 END
    WHERE ctid = (SELECT ctid FROM transfer_counts WHERE scope = counted_by AND id = counted ORDER BY turn DESC LIMIT 1)
    RETURNING * INTO changed;
  IF NOT FOUND THEN
    INSERT INTO transfer_counts (scope, id, pending, sources) VALUES (counted_by, counted, transfers, changed_sources)
      RETURNING * INTO changed;
  END IF;
  RETURN changed;
END;
$$;
