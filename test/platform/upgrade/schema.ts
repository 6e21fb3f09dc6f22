import type { Queryable } from '../../../src/platform/postgres/postgres.js';
import { rowsOf } from './contents.js';

/** Partitions lie where a database's data has put them. */
const WHOLES = `SELECT oid, relname FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition`;

const PARTS = [
  `SELECT w.relname AS of, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attcollation::regcollation::text AS collation,
     pg_get_expr(d.adbin, d.adrelid) AS standard
   FROM (${WHOLES}) w JOIN pg_attribute a ON a.attrelid = w.oid AND a.attnum > 0 AND NOT a.attisdropped
   LEFT JOIN pg_attrdef d ON d.adrelid = w.oid AND d.adnum = a.attnum`,
  `SELECT w.relname AS of, pg_get_indexdef(indexrelid) AS index FROM (${WHOLES}) w JOIN pg_index i ON i.indrelid = w.oid`,
  `SELECT w.relname AS of, conname, pg_get_constraintdef(c.oid) AS def FROM (${WHOLES}) w JOIN pg_constraint c ON c.conrelid = w.oid`,
  `SELECT w.relname AS of, pg_get_triggerdef(t.oid) AS trigger, tgenabled FROM (${WHOLES}) w JOIN pg_trigger t ON t.tgrelid = w.oid AND NOT t.tgisinternal`,
  `SELECT relname AS of, pg_get_viewdef(oid) AS view FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'`,
  `SELECT sequencename AS sequence, data_type::text, (SELECT refobjid::regclass FROM pg_depend
     WHERE classid = 'pg_class'::regclass AND objid = (quote_ident(sequencename))::regclass AND deptype = 'a') AS of
   FROM pg_sequences WHERE schemaname = 'public'`,
  `SELECT p.oid::regprocedure AS function, pg_get_function_result(p.oid) AS result, provolatile, proconfig, prosrc
   FROM pg_proc p WHERE pronamespace = 'public'::regnamespace`,
  `SELECT indexrelid::regclass AS invalid FROM pg_index WHERE NOT indisvalid`,
];

/** Tables, views, indexes, constraints, triggers, sequences and functions, a line each, and any index that is not valid. */
export async function describeSchema(postgres: Queryable): Promise<string[]> {
  const parts: string[] = [];
  for (const part of PARTS) parts.push(...(await rowsOf(postgres, part)));
  return parts;
}
