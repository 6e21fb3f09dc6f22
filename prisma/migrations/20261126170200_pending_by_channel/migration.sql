-- How much waits on each channel, and since when. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "pending_deliveries_channel_status_due_at_idx" ON "pending_deliveries"("channel", "status", "due_at");
