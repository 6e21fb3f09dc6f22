-- What waited before pending_deliveries was there, a thousand at a time; whoever changes a delivery meanwhile brings it there himself.
-- The only statement: it runs in no transaction, and goes on where it was killed.
DO $$
DECLARE
  batch uuid[];
  missing int;
BEGIN
  LOOP
    missing := 0;
    FOR batch IN
      SELECT array_agg(delivery_id) FROM (
        SELECT d.delivery_id, row_number() OVER () / 1000 AS nth
        FROM (SELECT delivery_id FROM deliveries WHERE status = 'QUEUED'
              UNION ALL SELECT delivery_id FROM deliveries WHERE status = 'RETRYING'
              UNION ALL SELECT delivery_id FROM deliveries WHERE status = 'SCHEDULED') AS d
        WHERE NOT EXISTS (SELECT FROM pending_deliveries p WHERE p.delivery_id = d.delivery_id)
      ) AS d GROUP BY nth
    LOOP
      -- Held, they stay as they are; what somebody else holds is looked at again.
      INSERT INTO pending_deliveries (delivery_id, user_id, channel, priority, status, sequence, due_at, lease_token, lease_until, is_repeat)
        SELECT d.delivery_id, d.user_id, d.channel, d.priority, d.status, d.sequence,
               coalesce(CASE d.status WHEN 'SCHEDULED' THEN d.due_at WHEN 'RETRYING' THEN d.next_retry_at ELSE d.queued_at END, d.created_at),
               d.lease_token, d.lease_until, d.last_error IS NOT NULL
        FROM deliveries d
        WHERE d.delivery_id = ANY (batch) AND d.status IN ('QUEUED', 'RETRYING', 'SCHEDULED')
        FOR UPDATE SKIP LOCKED
      ON CONFLICT DO NOTHING;
      missing := missing + cardinality(batch);
      COMMIT;
    END LOOP;
    EXIT WHEN missing = 0;
    PERFORM pg_sleep(0.1);
  END LOOP;
END;
$$;
