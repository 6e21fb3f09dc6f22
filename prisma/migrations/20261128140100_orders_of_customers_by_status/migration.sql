-- A customer's orders of one status, newest first. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "orders_customer_id_status_placed_at_order_id_idx" ON "orders"("customer_id", "status", "placed_at" DESC, "order_id" DESC);
