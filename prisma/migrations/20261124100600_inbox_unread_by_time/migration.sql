-- A user's unread items, newest first, and to be counted. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "inbox_items_unread_by_time" ON "inbox_items" ("user_id", "created_at" DESC, "item_id" DESC)
  WHERE "read_at" IS NULL AND "archived_at" IS NULL;
