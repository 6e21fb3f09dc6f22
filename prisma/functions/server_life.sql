-- Names the history of the log that this server has: as long as it is the same, no event that was read is gone.
--
-- Out: when the server was started, its timeline, and the table. A server that takes the place of another was started at another
-- moment, a standby that becomes the primary has another timeline, and one whose files were set back was started anew; a
-- database that was restored is another one, or has another table. A server that crashes and recovers without being started anew
-- keeps its life: nothing that was read is gone then, unless `synchronous_commit` is off.
CREATE OR REPLACE FUNCTION server_life() RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT extract(epoch FROM pg_postmaster_start_time())::text || '/'
    || CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END || '/'
    || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()) || '/' || 'events'::regclass::oid
$$;
