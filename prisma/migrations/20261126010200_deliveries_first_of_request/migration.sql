-- A request's deliveries: across partitions an index that leaves the time out is not unique.
CREATE INDEX CONCURRENTLY "deliveries_first_of_request" ON "deliveries" ("request_id", "user_id", "channel");
