-- What lies in a user's inbox, newest first, without a look at what they archived. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "inbox_items_kept_by_time" ON "inbox_items" ("user_id", "created_at" DESC, "item_id" DESC)
  WHERE "archived_at" IS NULL;
