-- Adds a transfer to the outbox beside its TransferStarted: while it is there its source cannot close, and its job is enqueued
-- once it is due. 200 of one source may be pending, and 400 of all sources of one owner: those of one account
-- wait for each other, and the workers must not all wait with them.
--
-- Its `turn`, fixed here, is an upper bound of its place among all that its owner has pending, if sources took turns: as many as its
-- source has pending times the sources of its owner, and no more than its owner has pending.
--
-- args: transferId, fromAccountId, ownerId (of the source), correlationId, traceparent (where it is traced)
-- refuses: TOO_MANY_TRANSFERS with of (`source` or `owner`)
CREATE OR REPLACE FUNCTION guard_start_transfer(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  most_of_source CONSTANT int := 200;
  most_of_owner CONSTANT int := 400;
  source_id text := args ->> 'fromAccountId';
  -- Processes of earlier versions name no owner, and no correlation id: such a source counts by itself. No user id has a space.
  owner_id text := coalesce(nullif(args ->> 'ownerId', ''), 'account ' || source_id);
  of_source transfer_counts%ROWTYPE;
  of_owner transfer_counts%ROWTYPE;
BEGIN
  IF pending_transfers_of('source', source_id) >= most_of_source THEN
    RETURN '{"refuse": "TOO_MANY_TRANSFERS", "of": "source"}';
  END IF;
  IF pending_transfers_of('owner', owner_id) >= most_of_owner THEN
    RETURN '{"refuse": "TOO_MANY_TRANSFERS", "of": "owner"}';
  END IF;
  of_source := add_to_transfer_count('source', source_id, 1);
  of_owner := add_to_transfer_count('owner', owner_id, 1, (of_source.pending = 1)::int);
  INSERT INTO outbox (key, kind, payload, correlation_id, due_at, traceparent)
  VALUES ('commerce.transfer:' || (args ->> 'transferId'), 'commerce.transfer',
    jsonb_build_object('transferId', args ->> 'transferId', 'fromAccountId', source_id, 'fromOwnerId', owner_id,
      'turn', least(of_owner.pending, of_source.pending * greatest(of_owner.sources, 1))),
    coalesce(args ->> 'correlationId', ''), at + interval '10 seconds', args ->> 'traceparent');
  RETURN NULL;
END;
$$;
