-- What was counted of a post since the last write-back, without what vacuum may not remove. The only statement: it runs in no
-- transaction.
CREATE INDEX CONCURRENTLY "post_count_deltas_post_id_id_idx" ON "post_count_deltas"("post_id", "id");
