-- By hand. What became of deliveries at each address, partitioned by the months of the deliveries. What was one table before is the
-- first partition, under its old name: processes of the former version go on with it, and with its own key.
CREATE TABLE "target_outcomes" (
  LIKE "delivery_targets" INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS) PARTITION BY RANGE ("updated_at");
CREATE UNIQUE INDEX "target_outcomes_delivery_id_target_updated_at_key" ON "target_outcomes" ("delivery_id", "target", "updated_at");
DO $$
DECLARE
  grants record;
BEGIN
  EXECUTE format('ALTER TABLE target_outcomes ATTACH PARTITION delivery_targets FOR VALUES FROM (MINVALUE) TO (%L)', (
    SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''')::timestamptz
    FROM pg_constraint c WHERE c.conname = 'delivery_targets_until' AND c.conrelid = 'delivery_targets'::regclass));
  -- Every partition has the storage parameters of the default one: see ensure_month_partitions.
  EXECUTE 'CREATE TABLE target_outcomes_default PARTITION OF target_outcomes DEFAULT' || coalesce((
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = 'delivery_targets'::regclass), '');
  EXECUTE (SELECT format('ALTER TABLE target_outcomes OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = 'delivery_targets'::regclass);
  EXECUTE (SELECT format('ALTER TABLE target_outcomes_default OWNER TO %I', pg_get_userbyid(relowner)) FROM pg_class
    WHERE oid = 'delivery_targets'::regclass);
  FOR grants IN
    SELECT g.privilege_type AS privilege, g.is_grantable,
      CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
    WHERE c.oid = 'delivery_targets'::regclass AND g.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON target_outcomes TO %s%s', grants.privilege, grants.grantee,
      CASE WHEN grants.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END;
$$;
ALTER TABLE "delivery_targets" DROP CONSTRAINT "delivery_targets_until";
