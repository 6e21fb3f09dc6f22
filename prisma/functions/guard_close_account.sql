-- Keeps an account open while transfers from it are pending, since their money may come back. Writes nothing.
--
-- args: accountId
-- refuses: TRANSFERS_PENDING
CREATE OR REPLACE FUNCTION guard_close_account(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF pending_transfers_of('source', args ->> 'accountId') > 0 THEN
    RETURN '{"refuse": "TRANSFERS_PENDING"}';
  END IF;
  RETURN NULL;
END;
$$;
