-- A user's archived items, newest first. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "inbox_items_archived_by_time" ON "inbox_items" ("user_id", "created_at" DESC, "item_id" DESC)
  WHERE "archived_at" IS NOT NULL;
