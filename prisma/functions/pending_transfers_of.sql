-- How many transfers are pending. The newest version of the row stands first in the index, however many older ones vacuum may not
-- remove.
--
-- In:  `source` and an account, or `owner` and a user
CREATE OR REPLACE FUNCTION pending_transfers_of(counted_by text, counted text) RETURNS int
LANGUAGE plpgsql AS $$
BEGIN
  RETURN coalesce(
    (SELECT pending FROM transfer_counts WHERE scope = counted_by AND id = counted ORDER BY turn DESC LIMIT 1), 0);
END;
$$;
