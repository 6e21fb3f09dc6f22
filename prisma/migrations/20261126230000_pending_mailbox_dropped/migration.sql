-- Its successor is pending_deliveries_waiting. The only statement: it runs in no transaction.
DROP INDEX CONCURRENTLY IF EXISTS "pending_deliveries_mailbox";
