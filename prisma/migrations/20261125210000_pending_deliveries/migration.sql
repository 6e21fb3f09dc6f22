-- CreateTable
CREATE TABLE "pending_deliveries" (
    "delivery_id" UUID NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "priority" VARCHAR(8) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "sequence" BIGINT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "is_repeat" BOOLEAN NOT NULL,

    CONSTRAINT "pending_deliveries_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateIndex
CREATE INDEX "pending_deliveries_status_priority_due_at_delivery_id_idx" ON "pending_deliveries"("status", "priority", "due_at", "delivery_id");

-- By hand, from here on: what Prisma's schema language cannot say.

-- A user's mailbox, in order.
CREATE INDEX "pending_deliveries_mailbox" ON "pending_deliveries" ("user_id", "channel", "priority", "sequence") WHERE "status" = 'QUEUED';
-- A lease is written beside the row that it is of, and into no index.
ALTER TABLE "pending_deliveries" SET (fillfactor = 50);

-- Keeps pending_deliveries what it is, whoever writes deliveries: processes of the former version and operators too.
CREATE FUNCTION keep_pending_deliveries() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO pending_deliveries (delivery_id, user_id, channel, priority, status, sequence, due_at, lease_token, lease_until, is_repeat)
      SELECT n.delivery_id, n.user_id, n.channel, n.priority, n.status, n.sequence,
             coalesce(CASE n.status WHEN 'SCHEDULED' THEN n.due_at WHEN 'RETRYING' THEN n.next_retry_at ELSE n.queued_at END, n.created_at),
             n.lease_token, n.lease_until, n.last_error IS NOT NULL
      FROM changed n
      WHERE n.status IN ('QUEUED', 'RETRYING', 'SCHEDULED');
  ELSIF TG_OP = 'UPDATE' THEN
    DELETE FROM pending_deliveries p
      WHERE p.delivery_id = ANY (ARRAY(SELECT n.delivery_id FROM changed n WHERE n.status NOT IN ('QUEUED', 'RETRYING', 'SCHEDULED')));
    -- Whatever comes into a mailbox, comes to its end: behind a sequence that was seen, nothing appears any more.
    INSERT INTO pending_deliveries AS p (delivery_id, user_id, channel, priority, status, sequence, due_at, lease_token, lease_until, is_repeat)
      SELECT n.delivery_id, n.user_id, n.channel, n.priority, n.status, nextval('deliveries_sequence_seq'), n.due_at,
             n.lease_token, n.lease_until, n.is_repeat
      FROM (
        SELECT c.delivery_id, c.user_id, c.channel, c.priority, c.status, c.lease_token, c.lease_until, c.last_error IS NOT NULL AS is_repeat,
               coalesce(CASE c.status WHEN 'SCHEDULED' THEN c.due_at WHEN 'RETRYING' THEN c.next_retry_at ELSE c.queued_at END, c.created_at) AS due_at
        FROM changed c
        WHERE c.status IN ('QUEUED', 'RETRYING', 'SCHEDULED')
        OFFSET 0
      ) AS n
      WHERE NOT EXISTS (
        SELECT FROM pending_deliveries p
        WHERE p.delivery_id = n.delivery_id AND p.status = n.status AND (p.status = 'QUEUED' OR p.due_at = n.due_at)
          -- A lease that was given there, by the former claim_deliveries.
          AND (n.lease_until IS NULL OR n.lease_until <= p.lease_until))
    ON CONFLICT (delivery_id) DO UPDATE
      SET status = excluded.status, is_repeat = excluded.is_repeat,
          sequence = CASE WHEN p.status = excluded.status THEN p.sequence ELSE excluded.sequence END,
          due_at = CASE
            WHEN excluded.status <> 'QUEUED' OR p.status = 'SCHEDULED' THEN excluded.due_at
            -- One whose retry is due waits from now on.
            WHEN p.status = 'RETRYING' THEN clock_timestamp()
            ELSE p.due_at
          END,
          lease_token = excluded.lease_token, lease_until = excluded.lease_until;
  ELSE
    DELETE FROM pending_deliveries p WHERE p.delivery_id = ANY (ARRAY(SELECT n.delivery_id FROM changed n));
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER deliveries_inserted AFTER INSERT ON "deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pending_deliveries();
CREATE TRIGGER deliveries_updated AFTER UPDATE ON "deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pending_deliveries();
CREATE TRIGGER deliveries_deleted AFTER DELETE ON "deliveries" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pending_deliveries();

-- What waits is found in pending_deliveries; where nothing was ever sent, no process of the former version looks for it here.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM deliveries) THEN
    DROP INDEX deliveries_mailbox, deliveries_retrying, deliveries_due;
  END IF;
END;
$$;
