-- Without the delivery: Postgres 18 looks a delivery up by the last column of an index, too, where it takes the table for an empty
-- one. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "pending_deliveries_status_priority_due_at_idx" ON "pending_deliveries"("status", "priority", "due_at");
