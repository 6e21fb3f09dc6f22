-- The key to be. The only statement: it runs in no transaction.
CREATE UNIQUE INDEX CONCURRENTLY "customer_credit_by_turn" ON "customer_credit"("customer_id", "turn");
