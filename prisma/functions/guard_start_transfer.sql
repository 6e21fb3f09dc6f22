-- Notes a transfer as pending beside its TransferStarted: until it is over its source cannot close, and a sweeper
-- takes it up once it is due. 200 of one source may be pending, and 400 of all sources of one owner: those of one account
-- wait for each other, and the workers must not all wait with them.
--
-- args: transferId, fromAccountId, ownerId (of the source)
-- refuses: TOO_MANY_TRANSFERS with of (`source` or `owner`)
CREATE OR REPLACE FUNCTION guard_start_transfer(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  most_of_source CONSTANT int := 200;
  most_of_owner CONSTANT int := 400;
  -- A process of an earlier version names none.
  owner text := coalesce(args ->> 'ownerId', '');
BEGIN
  IF most_of_source = (
    SELECT count(*) FROM (
      SELECT FROM pending_transfers WHERE from_account_id = args ->> 'fromAccountId' LIMIT most_of_source
    ) pending
  ) THEN
    RETURN '{"refuse": "TOO_MANY_TRANSFERS", "of": "source"}';
  END IF;
  IF owner <> '' AND most_of_owner = (
    SELECT count(*) FROM (SELECT FROM pending_transfers WHERE owner_id = owner LIMIT most_of_owner) pending
  ) THEN
    RETURN '{"refuse": "TOO_MANY_TRANSFERS", "of": "owner"}';
  END IF;
  INSERT INTO pending_transfers (transfer_id, from_account_id, owner_id, due_at)
  VALUES (args ->> 'transferId', args ->> 'fromAccountId', owner, at + interval '10 seconds');
  RETURN NULL;
END;
$$;
