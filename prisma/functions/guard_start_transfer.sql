-- Notes a transfer as pending beside its TransferStarted: until it is over its source cannot close, and a sweeper
-- takes it up once it is due.
--
-- args: transferId, fromAccountId
-- refuses: nothing
CREATE OR REPLACE FUNCTION guard_start_transfer(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_transfers (transfer_id, from_account_id, due_at)
  VALUES (args ->> 'transferId', args ->> 'fromAccountId', at + interval '10 seconds');
  RETURN NULL;
END;
$$;
