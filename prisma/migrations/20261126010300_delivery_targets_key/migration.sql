-- As of requests and deliveries.
CREATE UNIQUE INDEX CONCURRENTLY "delivery_targets_key" ON "delivery_targets" ("delivery_id", "target", "updated_at");
