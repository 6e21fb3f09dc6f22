-- Keeps an account open while transfers from it are pending, since their money may come back. Writes nothing.
--
-- args: accountId
-- refuses: TRANSFERS_PENDING
CREATE OR REPLACE FUNCTION guard_close_account(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM outbox WHERE payload ->> 'fromAccountId' = args ->> 'accountId') THEN
    RETURN '{"refuse": "TRANSFERS_PENDING"}';
  END IF;
  RETURN NULL;
END;
$$;
