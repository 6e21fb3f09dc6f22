-- Completes a transfer's entry in the outbox, beside the event that ends it.
--
-- args: transferId
-- refuses: nothing
CREATE OR REPLACE FUNCTION guard_finish_transfer(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  transfer jsonb;
  of_source transfer_counts%ROWTYPE;
BEGIN
  DELETE FROM outbox WHERE key = 'commerce.transfer:' || (args ->> 'transferId') RETURNING payload INTO transfer;
  IF FOUND THEN
    of_source := add_to_transfer_count('source', transfer ->> 'fromAccountId', -1);
    PERFORM add_to_transfer_count('owner', transfer ->> 'fromOwnerId', -1, -(of_source.pending = 0)::int);
  END IF;
  RETURN NULL;
END;
$$;
