-- name: liveSchema
-- not null: schema
SELECT current_schema() AS schema

-- name: describeTables
-- $1 tables of the first schema of the search path, $2 those of them that are only added to
-- Out: the statements that make an empty copy of each where another schema stands first: with the same names of
-- indexes and constraints, which CREATE TABLE LIKE would make up, and with settings and grants, which it would leave
-- out; `late`, for an index that is faster built once the table is full, since nothing finds rows by it; and `shape`, all
-- else that a migration may change about a table.
-- not null: statement, late, shape
WITH live AS (
  SELECT t.n, t.name, c.oid, c.reloptions, c.relacl, c.relowner
  FROM unnest($1::text[]) WITH ORDINALITY AS t (name, n)
  JOIN pg_class c ON c.oid = format('%I.%I', current_schema(), t.name)::regclass
), steps AS (
  SELECT n, 1 AS step, false AS late, name AS part,
    format('CREATE TABLE %I (LIKE %I.%I INCLUDING ALL EXCLUDING INDEXES)', name, current_schema(), name) AS statement
  FROM live
  UNION ALL
  SELECT n, 2, false, name, format('ALTER TABLE %I SET (%s)', name, array_to_string(reloptions, ', '))
  FROM live WHERE reloptions IS NOT NULL
  UNION ALL
  SELECT n, 3, name = ANY ($2::text[]), k.conname,
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, k.conname, pg_get_constraintdef(k.oid, true))
  FROM live JOIN pg_constraint k ON k.conrelid = live.oid AND k.contype IN ('p', 'u', 'x')
  UNION ALL
  -- In its pretty form the definition names the table without its schema.
  SELECT n, 4, NOT i.indisunique OR name = ANY ($2::text[]), i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid, 0, true)
  FROM live JOIN pg_index i ON i.indrelid = live.oid
  WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = live.oid)
  UNION ALL
  SELECT n, 5, false, name, format('GRANT %s ON %I TO %s%s', g.privilege_type, name,
    CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END,
    CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
  FROM live CROSS JOIN LATERAL aclexplode(live.relacl) g WHERE g.grantee <> live.relowner
)
SELECT statement, late,
  (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
       pg_get_expr(d.adbin, d.adrelid)), ', ' ORDER BY a.attnum)
   FROM pg_attribute a LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
   WHERE a.attrelid = live.oid AND a.attnum > 0 AND NOT a.attisdropped)
  || (SELECT coalesce(string_agg(pg_get_constraintdef(k.oid), ', ' ORDER BY k.conname), '')
      FROM pg_constraint k WHERE k.conrelid = live.oid AND k.contype IN ('c', 'f')) AS shape
FROM steps JOIN live USING (n)
ORDER BY n, step, part
