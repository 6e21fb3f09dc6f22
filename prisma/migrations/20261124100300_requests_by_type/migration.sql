-- Requests of a type, newest first, without a look at those of others. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "notification_requests_type_created_at_request_id_idx" ON "notification_requests"("type", "created_at", "request_id");
