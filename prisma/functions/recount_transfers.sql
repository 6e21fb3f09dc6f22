-- Counts the pending transfers in the outbox again, for an operator who has removed entries by hand. Appends wait meanwhile.
CREATE OR REPLACE FUNCTION recount_transfers() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  newest_turn bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7236837468201);
  -- Above all that there were, so that the new rows stand first in the index.
  newest_turn := (SELECT coalesce(max(turn), 0) + 1 FROM transfer_counts);
  DELETE FROM transfer_counts;
  INSERT INTO transfer_counts (scope, id, turn, pending, sources)
  SELECT 'source', payload ->> 'fromAccountId', newest_turn, count(*), 0 FROM outbox WHERE kind = 'commerce.transfer' GROUP BY 2
  UNION ALL
  SELECT 'owner', payload ->> 'fromOwnerId', newest_turn, count(*), count(DISTINCT payload ->> 'fromAccountId')
  FROM outbox WHERE kind = 'commerce.transfer' GROUP BY 2;
END;
$$;
