-- Workers of the former version forget items by it: until they are gone, a round of theirs reads more, or runs into its timeout.
DROP INDEX CONCURRENTLY "inbox_items_created_at_item_id_idx";
