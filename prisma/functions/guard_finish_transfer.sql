-- Takes a transfer off the pending ones, beside the event that ends it.
--
-- args: transferId
-- refuses: nothing
CREATE OR REPLACE FUNCTION guard_finish_transfer(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM pending_transfers WHERE transfer_id = args ->> 'transferId';
  RETURN NULL;
END;
$$;
