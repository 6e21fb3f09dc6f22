-- As of requests: what tells deliveries apart in a table that is partitioned by time.
CREATE UNIQUE INDEX CONCURRENTLY "deliveries_first_key" ON "deliveries" ("delivery_id", "created_at");
