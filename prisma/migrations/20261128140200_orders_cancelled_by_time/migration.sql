-- A customer's cancelled orders by when they were. By hand, since Prisma knows no partial indexes. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "orders_cancelled_by_time" ON "orders"("customer_id", "cancelled_at") WHERE "cancelled_at" IS NOT NULL;
