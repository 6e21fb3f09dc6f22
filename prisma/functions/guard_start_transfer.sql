-- Notes a transfer as pending beside its TransferStarted: until it is over its source cannot close, and a sweeper
-- takes it up once it is due. 200 of one source may be pending: those of one account wait for each other, and the
-- workers must not all wait with them.
--
-- args: transferId, fromAccountId
-- refuses: TOO_MANY_TRANSFERS
CREATE OR REPLACE FUNCTION guard_start_transfer(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT int := 200;
BEGIN
  IF most = (
    SELECT count(*) FROM (
      SELECT FROM pending_transfers WHERE from_account_id = args ->> 'fromAccountId' LIMIT most
    ) pending
  ) THEN
    RETURN jsonb_build_object('refuse', 'TOO_MANY_TRANSFERS');
  END IF;
  INSERT INTO pending_transfers (transfer_id, from_account_id, due_at)
  VALUES (args ->> 'transferId', args ->> 'fromAccountId', at + interval '10 seconds');
  RETURN NULL;
END;
$$;
