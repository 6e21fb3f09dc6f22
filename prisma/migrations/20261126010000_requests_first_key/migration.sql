-- What tells requests apart in a table that is partitioned by time. Read and written while it is built. The only statement: it runs in no transaction.
CREATE UNIQUE INDEX CONCURRENTLY "notification_requests_first_key" ON "notification_requests" ("request_id", "created_at");
