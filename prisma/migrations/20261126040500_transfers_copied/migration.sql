-- Transfers that are pending, a thousand at a time, as the messages before.
DO $$
DECLARE
  last text := '';
BEGIN
  LOOP
    WITH page AS (
      SELECT * FROM pending_transfers WHERE transfer_id > last ORDER BY transfer_id LIMIT 1000
    ), copied AS (
      INSERT INTO outbox (key, kind, payload, attempts, due_at)
      SELECT 'commerce.transfer:' || transfer_id, 'commerce.transfer',
        jsonb_build_object('transferId', transfer_id, 'fromAccountId', from_account_id, 'fromOwnerId', owner_id), attempts, due_at
      FROM page
      ON CONFLICT DO NOTHING
    )
    SELECT transfer_id INTO last FROM page ORDER BY transfer_id DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END;
$$;
