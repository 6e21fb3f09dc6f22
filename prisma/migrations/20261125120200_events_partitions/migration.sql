-- By hand: what there is of the log becomes the first partition, by names and catalogues alone. Under an exclusive lock on
-- "events", which is asked for 2 s at a time.
--
-- (stream_id, stream_position) is unique within a partition: an index over all of them would have to contain the position. Across
-- partitions the append lock holds it: append_commands reads a stream's last position under it, from all of them.
LOCK TABLE "events" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "events" RENAME TO "events_from_1";
ALTER TABLE "events_from_1" RENAME CONSTRAINT "events_pkey" TO "events_from_1_pkey";
ALTER INDEX "events_stream_id_stream_position_key" RENAME TO "events_from_1_stream";
ALTER INDEX "events_correlation" RENAME TO "events_from_1_correlation";

CREATE TABLE "events" (LIKE "events_from_1" INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS,
  CONSTRAINT "events_pkey" PRIMARY KEY ("global_position")) PARTITION BY RANGE ("global_position");
CREATE INDEX "events_correlation" ON "events" (("metadata" ->> 'correlationId'), "global_position");
CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE "events" ENABLE ALWAYS TRIGGER events_are_append_only;

-- Its own trigger stays: one on the whole does not see what is asked of a partition by its own name.
DO $$
DECLARE
  grants record;
  bound bigint := (SELECT (regexp_match(pg_get_constraintdef(oid), '< (?:''?)(\d+)'))[1] FROM pg_constraint
    WHERE conrelid = '"events_from_1"'::regclass AND conname = 'events_bound' AND convalidated);
BEGIN
  EXECUTE format('ALTER TABLE "events" ATTACH PARTITION "events_from_1" FOR VALUES FROM (1) TO (%s)', bound);
  EXECUTE (SELECT format('ALTER TABLE "events" OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = '"events_from_1"'::regclass);
  FOR grants IN
    SELECT g.privilege_type AS privilege, g.is_grantable,
      CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
    WHERE c.oid = '"events_from_1"'::regclass AND g.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON "events" TO %s%s', grants.privilege, grants.grantee,
      CASE WHEN grants.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END;
$$;
ALTER TABLE "events_from_1" DROP CONSTRAINT "events_bound";
