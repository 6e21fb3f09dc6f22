-- A B-tree takes values of up to 2,704 bytes. Devices are read and registered while the index is built, and found by the old one
-- until then. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "user_devices_device_token_hash" ON "user_devices" USING HASH ("device_token");
