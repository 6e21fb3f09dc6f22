-- What is older than inboxes are kept for. They are read and written while the index is built. The only statement: it runs in no
-- transaction.
CREATE INDEX CONCURRENTLY "inbox_items_created_at_item_id_idx" ON "inbox_items" ("created_at", "item_id");
