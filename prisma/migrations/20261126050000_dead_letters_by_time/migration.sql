-- What was given up lately, of a month that is to go. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "failed_notifications_failed_at_created_at_idx" ON "failed_notifications"("failed_at", "created_at");
