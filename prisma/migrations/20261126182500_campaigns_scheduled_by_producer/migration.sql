-- Whose campaigns wait for their time. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "campaigns_scheduled_by_producer" ON "campaigns"("producer") WHERE "status" = 'SCHEDULED';
