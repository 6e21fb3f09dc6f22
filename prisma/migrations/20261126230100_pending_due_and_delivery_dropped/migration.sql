-- The only statement: it runs in no transaction.
DROP INDEX CONCURRENTLY IF EXISTS "pending_deliveries_status_priority_due_at_delivery_id_idx";
