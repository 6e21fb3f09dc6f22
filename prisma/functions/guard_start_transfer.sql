-- Adds a transfer to the outbox beside its TransferStarted: while it is there its source cannot close, and it is taken up
-- once it is due. 200 of one source may be pending, and 400 of all sources of one owner: those of one account
-- wait for each other, and the workers must not all wait with them.
--
-- args: transferId, fromAccountId, ownerId (of the source), correlationId
-- refuses: TOO_MANY_TRANSFERS with of (`source` or `owner`)
CREATE OR REPLACE FUNCTION guard_start_transfer(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  most_of_source CONSTANT int := 200;
  most_of_owner CONSTANT int := 400;
  -- Processes of earlier versions name none, and no correlation id.
  owner text := coalesce(args ->> 'ownerId', '');
BEGIN
  IF most_of_source = (
    SELECT count(*) FROM (
      SELECT FROM outbox WHERE payload ->> 'fromAccountId' = args ->> 'fromAccountId' LIMIT most_of_source
    ) pending
  ) THEN
    RETURN '{"refuse": "TOO_MANY_TRANSFERS", "of": "source"}';
  END IF;
  IF owner <> '' AND most_of_owner = (
    SELECT count(*) FROM (
      SELECT FROM outbox WHERE payload ->> 'fromOwnerId' = owner LIMIT most_of_owner
    ) pending
  ) THEN
    RETURN '{"refuse": "TOO_MANY_TRANSFERS", "of": "owner"}';
  END IF;
  INSERT INTO outbox (key, kind, payload, correlation_id, due_at)
  VALUES ('commerce.transfer:' || (args ->> 'transferId'), 'commerce.transfer',
    jsonb_build_object('transferId', args ->> 'transferId', 'fromAccountId', args ->> 'fromAccountId', 'fromOwnerId', owner),
    coalesce(args ->> 'correlationId', ''), at + interval '10 seconds');
  RETURN NULL;
END;
$$;
