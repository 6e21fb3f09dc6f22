-- What is old enough to be forgotten, of items that came while their month had no partition. The only statement: it runs in no
-- transaction.
CREATE INDEX CONCURRENTLY "inbox_entries_default_by_utc" ON "inbox_entries_default" (("created_at" AT TIME ZONE 'UTC'), "item_id");
