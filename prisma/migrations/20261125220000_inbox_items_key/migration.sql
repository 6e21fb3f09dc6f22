-- What tells items apart in a table that is partitioned by time. They are read and written while the index is built. The only
-- statement: it runs in no transaction.
CREATE UNIQUE INDEX CONCURRENTLY "inbox_items_item_id_created_at_key" ON "inbox_items" ("item_id", "created_at");
