-- The new index serves every version. The only statement: it runs in no transaction.
DROP INDEX CONCURRENTLY "post_count_deltas_post_id_idx";
