-- By hand: the key of stream_partitions in the order of bytes, built while the table is used; the next migration makes it the key.
CREATE UNIQUE INDEX CONCURRENTLY "stream_partitions_in_byte_order" ON "stream_partitions" ("stream_id" COLLATE "C", "from_position");
