-- By hand: what there is becomes the first partition, by names and catalogues alone, under an exclusive lock on this one table, which
-- is asked for 2 s at a time. Statements of processes of the former version go on with the whole, which has the name now.
LOCK TABLE "notification_requests" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "notification_requests" RENAME TO "notification_requests_first";
ALTER TABLE "notification_requests_first" DROP CONSTRAINT "notification_requests_pkey";
ALTER TABLE "notification_requests_first"
  ADD CONSTRAINT "notification_requests_first_pkey" PRIMARY KEY USING INDEX "notification_requests_first_key";
ALTER INDEX "notification_requests_producer_created_at_request_id_idx" RENAME TO "notification_requests_first_of_producer";
ALTER INDEX "notification_requests_producer_type_created_at_request_id_idx" RENAME TO "notification_requests_first_of_producer_and_type";
ALTER INDEX "notification_requests_type_created_at_request_id_idx" RENAME TO "notification_requests_first_of_type";
ALTER INDEX "notification_requests_created_at_request_id_idx" RENAME TO "notification_requests_first_by_time";
ALTER INDEX "notification_requests_by_name" RENAME TO "notification_requests_first_by_name";

CREATE TABLE "notification_requests" (
  LIKE "notification_requests_first" INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS,
  CONSTRAINT "notification_requests_pkey" PRIMARY KEY ("request_id", "created_at")) PARTITION BY RANGE ("created_at");
CREATE INDEX "notification_requests_producer_created_at_request_id_idx" ON "notification_requests" ("producer", "created_at", "request_id");
CREATE INDEX "notification_requests_producer_type_created_at_request_id_idx"
  ON "notification_requests" ("producer", "type", "created_at", "request_id");
CREATE INDEX "notification_requests_type_created_at_request_id_idx" ON "notification_requests" ("type", "created_at", "request_id");
CREATE INDEX "notification_requests_created_at_request_id_idx" ON "notification_requests" ("created_at", "request_id");
CREATE INDEX "notification_requests_by_name" ON "notification_requests" ("notification_id", "created_at" DESC, "request_id" DESC);
DO $$
DECLARE
  grants record;
BEGIN
  EXECUTE format('ALTER TABLE notification_requests ATTACH PARTITION notification_requests_first FOR VALUES FROM (MINVALUE) TO (%L)', (
    SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''')::timestamptz
    FROM pg_constraint c WHERE c.conname = 'notification_requests_until' AND c.conrelid = 'notification_requests_first'::regclass));
  -- Every partition has the storage parameters of the default one: see ensure_month_partitions.
  EXECUTE 'CREATE TABLE notification_requests_default PARTITION OF notification_requests DEFAULT' || coalesce((
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = 'notification_requests_first'::regclass), '');
  EXECUTE (SELECT format('ALTER TABLE notification_requests OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = 'notification_requests_first'::regclass);
  EXECUTE (SELECT format('ALTER TABLE notification_requests_default OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = 'notification_requests_first'::regclass);
  FOR grants IN
    SELECT g.privilege_type AS privilege, g.is_grantable,
      CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
    WHERE c.oid = 'notification_requests_first'::regclass AND g.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON notification_requests TO %s%s', grants.privilege, grants.grantee,
      CASE WHEN grants.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END;
$$;
ALTER TABLE "notification_requests_first" DROP CONSTRAINT "notification_requests_until";
