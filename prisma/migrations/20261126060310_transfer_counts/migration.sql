-- CreateTable
CREATE TABLE "transfer_counts" (
    "scope" VARCHAR(8) NOT NULL,
    "id" TEXT NOT NULL,
    "turn" BIGINT NOT NULL DEFAULT 0,
    "pending" INTEGER NOT NULL,
    "sources" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "transfer_counts_pkey" PRIMARY KEY ("scope","id","turn")
);

-- By hand, from here on: what is pending is counted, and the functions that change it replaced, in one step that no append goes on
-- beside: the append lock is held. So processes of the version before, which call these functions, count too from then on.
SELECT pg_advisory_xact_lock(7236837468201);

UPDATE outbox SET payload = payload || jsonb_build_object('fromOwnerId', 'account ' || (payload ->> 'fromAccountId'))
WHERE kind = 'commerce.transfer' AND coalesce(payload ->> 'fromOwnerId', '') = '';

WITH placed AS (
  SELECT key, due_at, payload ->> 'fromOwnerId' AS owner_id,
    row_number() OVER (PARTITION BY payload ->> 'fromAccountId' ORDER BY due_at, key) AS in_source
  FROM outbox WHERE kind = 'commerce.transfer'
), turns AS (
  SELECT key, row_number() OVER (PARTITION BY owner_id ORDER BY in_source, due_at, key) AS turn FROM placed
)
UPDATE outbox o SET payload = payload || jsonb_build_object('turn', turns.turn) FROM turns WHERE o.key = turns.key;

INSERT INTO transfer_counts (scope, id, pending)
SELECT 'source', payload ->> 'fromAccountId', count(*) FROM outbox WHERE kind = 'commerce.transfer' GROUP BY 2;
INSERT INTO transfer_counts (scope, id, pending, sources)
SELECT 'owner', payload ->> 'fromOwnerId', count(*), count(DISTINCT payload ->> 'fromAccountId')
FROM outbox WHERE kind = 'commerce.transfer' GROUP BY 2;

CREATE OR REPLACE FUNCTION pending_transfers_of(counted_by text, counted text) RETURNS int
LANGUAGE plpgsql AS $$
BEGIN
  RETURN coalesce(
    (SELECT pending FROM transfer_counts WHERE scope = counted_by AND id = counted ORDER BY turn DESC LIMIT 1), 0);
END;
$$;
CREATE OR REPLACE FUNCTION add_to_transfer_count(counted_by text, counted text, transfers int, changed_sources int DEFAULT 0)
RETURNS transfer_counts
LANGUAGE plpgsql AS $$
DECLARE
  changed transfer_counts%ROWTYPE;
BEGIN
  UPDATE transfer_counts SET turn = turn + 1, pending = pending + transfers, sources = sources + changed_sources
    WHERE ctid = (SELECT ctid FROM transfer_counts WHERE scope = counted_by AND id = counted ORDER BY turn DESC LIMIT 1)
    RETURNING * INTO changed;
  IF NOT FOUND THEN
    INSERT INTO transfer_counts (scope, id, pending, sources) VALUES (counted_by, counted, transfers, changed_sources)
      RETURNING * INTO changed;
  END IF;
  RETURN changed;
END;
$$;
CREATE OR REPLACE FUNCTION guard_start_transfer(args jsonb, at timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  most_of_source CONSTANT int := 200;
  most_of_owner CONSTANT int := 400;
  source_id text := args ->> 'fromAccountId';
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
  INSERT INTO outbox (key, kind, payload, correlation_id, due_at)
  VALUES ('commerce.transfer:' || (args ->> 'transferId'), 'commerce.transfer',
    jsonb_build_object('transferId', args ->> 'transferId', 'fromAccountId', source_id, 'fromOwnerId', owner_id,
      'turn', least(of_owner.pending, of_source.pending * greatest(of_owner.sources, 1))),
    coalesce(args ->> 'correlationId', ''), at + interval '10 seconds');
  RETURN NULL;
END;
$$;
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
CREATE OR REPLACE FUNCTION guard_close_account(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF pending_transfers_of('source', args ->> 'accountId') > 0 THEN
    RETURN '{"refuse": "TRANSFERS_PENDING"}';
  END IF;
  RETURN NULL;
END;
$$;
