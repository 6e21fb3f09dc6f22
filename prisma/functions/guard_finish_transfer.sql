-- Completes a transfer's entry in the outbox, beside the event that ends it.
--
-- args: transferId
-- refuses: nothing
CREATE OR REPLACE FUNCTION guard_finish_transfer(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE key = 'commerce.transfer:' || (args ->> 'transferId');
  RETURN NULL;
END;
$$;
