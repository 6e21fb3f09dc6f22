-- A user's mailbox, in order. Claims ask in these words, which Postgres looks up in no other index: while the table is empty all plans
-- look alike to it, and one by another index, kept until the table has filled, reads whatever waits. The only statement: it runs in no
-- transaction.
CREATE INDEX CONCURRENTLY "pending_deliveries_waiting"
  ON "pending_deliveries" ("user_id", ("channel" || ':' || "priority"), "sequence") WHERE ("status" = 'QUEUED') IS TRUE;
