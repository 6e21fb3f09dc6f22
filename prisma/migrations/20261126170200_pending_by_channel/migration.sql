-- How much waits on each channel, and since when. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "pending_deliveries_status_channel_due_at_idx" ON "pending_deliveries"("status", "channel", "due_at");
