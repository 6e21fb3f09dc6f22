-- The key to be. The only statement: it runs in no transaction.
CREATE UNIQUE INDEX CONCURRENTLY "product_stock_by_turn" ON "product_stock"("product_id", "turn");
