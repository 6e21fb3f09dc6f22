-- The same for a producer's own. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "notification_requests_producer_type_created_at_request_id_idx" ON "notification_requests"("producer", "type", "created_at", "request_id");
