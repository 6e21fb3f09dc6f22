-- Campaigns whose time comes next. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "campaigns_scheduled_by_time" ON "campaigns"("schedule_at") WHERE "status" = 'SCHEDULED';
