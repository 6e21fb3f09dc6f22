-- By hand: what Prisma's schema language cannot say.

-- The items of all inboxes, partitioned by when they came. What was one table before is the first partition, under its old name:
-- nothing is copied, and processes of the former version go on with it.
CREATE TABLE "inbox_entries" (LIKE "inbox_items" INCLUDING DEFAULTS) PARTITION BY RANGE ("created_at");
CREATE UNIQUE INDEX "inbox_entries_item_id_created_at_key" ON "inbox_entries" ("item_id", "created_at");
CREATE INDEX "inbox_entries_user_id_created_at_item_id_idx" ON "inbox_entries" ("user_id", "created_at" DESC, "item_id" DESC);
CREATE INDEX "inbox_entries_user_id_change_idx" ON "inbox_entries" ("user_id", "change");
CREATE INDEX "inbox_entries_unread_by_time" ON "inbox_entries" ("user_id", "created_at" DESC, "item_id" DESC)
  WHERE "read_at" IS NULL AND "archived_at" IS NULL;
CREATE INDEX "inbox_entries_archived_by_time" ON "inbox_entries" ("user_id", "created_at" DESC, "item_id" DESC)
  WHERE "archived_at" IS NOT NULL;
CREATE INDEX "inbox_entries_kept_by_time" ON "inbox_entries" ("user_id", "created_at" DESC, "item_id" DESC)
  WHERE "archived_at" IS NULL;
DO $$
BEGIN
  EXECUTE format('ALTER TABLE inbox_entries ATTACH PARTITION inbox_items FOR VALUES FROM (MINVALUE) TO (%L)', (
    SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''')::timestamptz
    FROM pg_constraint c WHERE c.conname = 'inbox_items_until' AND c.conrelid = 'inbox_items'::regclass));
END;
$$;
ALTER TABLE "inbox_items" DROP CONSTRAINT "inbox_items_until";
CREATE TABLE "inbox_entries_default" PARTITION OF "inbox_entries" DEFAULT;
