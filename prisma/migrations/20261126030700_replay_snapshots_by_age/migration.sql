-- What is old enough to be forgotten. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "replay_snapshots_created_at_idx" ON "replay_snapshots"("created_at");
