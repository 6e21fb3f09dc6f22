-- By hand, as the messages before.

LOCK TABLE pending_transfers IN ACCESS EXCLUSIVE MODE;
INSERT INTO outbox (key, kind, payload, attempts, due_at)
SELECT 'commerce.transfer:' || transfer_id, 'commerce.transfer',
  jsonb_build_object('transferId', transfer_id, 'fromAccountId', from_account_id, 'fromOwnerId', owner_id), attempts, due_at
FROM pending_transfers p
WHERE NOT EXISTS (
  SELECT FROM outbox o WHERE o.key = 'commerce.transfer:' || p.transfer_id AND o.due_at = p.due_at)
ON CONFLICT (key) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at;
DELETE FROM outbox o
WHERE o.kind = 'commerce.transfer' AND NOT EXISTS (SELECT FROM pending_transfers p WHERE 'commerce.transfer:' || p.transfer_id = o.key);
DROP TABLE pending_transfers;

-- For processes of the version before, until they have ended, and for their SQL functions, until this version's are there.
CREATE VIEW pending_transfers AS
SELECT ctid AS "ctid", (payload ->> 'transferId')::varchar(200) AS transfer_id, (payload ->> 'fromAccountId')::varchar(200) AS from_account_id,
  (payload ->> 'fromOwnerId')::varchar(64) AS owner_id, attempts, due_at
FROM outbox WHERE kind = 'commerce.transfer';

CREATE FUNCTION add_former_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (key, kind, payload, due_at)
  VALUES ('commerce.transfer:' || NEW.transfer_id, 'commerce.transfer',
    jsonb_build_object('transferId', NEW.transfer_id, 'fromAccountId', NEW.from_account_id, 'fromOwnerId', coalesce(NEW.owner_id, '')),
    NEW.due_at);
  RETURN NEW;
END;
$$;
CREATE TRIGGER pending_transfers_insert INSTEAD OF INSERT ON pending_transfers
  FOR EACH ROW EXECUTE FUNCTION add_former_transfer();
