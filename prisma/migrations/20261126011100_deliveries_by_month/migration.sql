-- By hand, as notification_requests. The partial indexes by which processes older than the former version find what waits stay on the
-- first partition alone.
LOCK TABLE "deliveries" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "deliveries" RENAME TO "deliveries_first";
ALTER TABLE "deliveries_first" DROP CONSTRAINT "deliveries_pkey";
ALTER TABLE "deliveries_first" ADD CONSTRAINT "deliveries_first_pkey" PRIMARY KEY USING INDEX "deliveries_first_key";
ALTER INDEX "deliveries_user_id_created_at_delivery_id_idx" RENAME TO "deliveries_first_of_user";
DROP TRIGGER "deliveries_inserted" ON "deliveries_first";
DROP TRIGGER "deliveries_updated" ON "deliveries_first";
DROP TRIGGER "deliveries_deleted" ON "deliveries_first";

CREATE TABLE "deliveries" (
  LIKE "deliveries_first" INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS,
  CONSTRAINT "deliveries_pkey" PRIMARY KEY ("delivery_id", "created_at")) PARTITION BY RANGE ("created_at");
CREATE INDEX "deliveries_request_id_user_id_channel_idx" ON "deliveries" ("request_id", "user_id", "channel");
CREATE INDEX "deliveries_user_id_created_at_delivery_id_idx" ON "deliveries" ("user_id", "created_at" DESC, "delivery_id" DESC);
-- They fire for the table that a statement names: whoever names a partition does without them.
CREATE TRIGGER deliveries_inserted AFTER INSERT ON "deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pending_deliveries();
CREATE TRIGGER deliveries_updated AFTER UPDATE ON "deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pending_deliveries();
CREATE TRIGGER deliveries_deleted AFTER DELETE ON "deliveries" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pending_deliveries();
DO $$
DECLARE
  grants record;
BEGIN
  EXECUTE format('ALTER TABLE deliveries ATTACH PARTITION deliveries_first FOR VALUES FROM (MINVALUE) TO (%L)', (
    SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''')::timestamptz
    FROM pg_constraint c WHERE c.conname = 'deliveries_until' AND c.conrelid = 'deliveries_first'::regclass));
  -- Every partition has the storage parameters of the default one: see ensure_month_partitions.
  EXECUTE 'CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT' || coalesce((
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = 'deliveries_first'::regclass), '');
  EXECUTE (SELECT format('ALTER TABLE deliveries OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = 'deliveries_first'::regclass);
  EXECUTE (SELECT format('ALTER TABLE deliveries_default OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = 'deliveries_first'::regclass);
  FOR grants IN
    SELECT g.privilege_type AS privilege, g.is_grantable,
      CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
    WHERE c.oid = 'deliveries_first'::regclass AND g.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON deliveries TO %s%s', grants.privilege, grants.grantee,
      CASE WHEN grants.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
  -- Until functions are replaced, those of the former version have nothing else against two fallbacks on one channel.
  IF NOT EXISTS (SELECT FROM deliveries_first) THEN
    DROP INDEX deliveries_request_id_user_id_channel_key;
  END IF;
END;
$$;
ALTER TABLE "deliveries_first" DROP CONSTRAINT "deliveries_until";
ALTER SEQUENCE "deliveries_sequence_seq" OWNED BY "deliveries"."sequence";
