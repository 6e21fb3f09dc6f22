-- For forgetting alone, in an order of its own: beside an index on the time itself, pages of a user's inbox, merged from
-- partitions, were read in the order of all inboxes.
CREATE INDEX CONCURRENTLY "inbox_items_by_utc" ON "inbox_items" (("created_at" AT TIME ZONE 'UTC'), "item_id");
