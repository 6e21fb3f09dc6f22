import type pg from 'pg';
import { columnsOf } from './describe.js';

/** How a value of a type of Postgres arrives in TypeScript. */
export interface TypeNames {
  nameOf(typeId: number): string;
  /** Whether a column of a table takes no NULL. */
  isRequired(table: number, column: number): boolean;
}

/** What the parsers of `pg`, and those that platform/postgres/postgres.ts sets, make of each type. */
const NAMES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  timestamptz: 'Date',
  timestamp: 'Date',
  date: 'Date',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
};

/** Everything else arrives as text. */
const OTHER = 'string';

export async function readTypeNames(client: pg.Client): Promise<TypeNames> {
  const types = await client.query<{ id: number; name: string; element: number }>(
    "SELECT oid::int AS id, typname AS name, CASE WHEN typcategory = 'A' THEN typelem ELSE 0 END::int AS element FROM pg_type",
  );
  const required = await client.query<{ table: number; column: number }>(
    'SELECT attrelid::int AS table, attnum::int AS column FROM pg_attribute WHERE attnotnull AND attnum > 0',
  );
  const views = await client.query<{ id: number; definition: string }>(
    "SELECT c.oid::int AS id, pg_get_viewdef(c.oid) AS definition FROM pg_class c WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace",
  );
  const byId = new Map(types.rows.map((type) => [type.id, type]));
  const places = new Set(required.rows.map(({ table, column }) => `${table}.${column}`));
  // Postgres does not say it of a view's columns.
  for (const { id, definition } of views.rows) {
    for (const [at, { origin }] of (await columnsOf(client, definition)).entries())
      if (origin && places.has(`${origin.table}.${origin.column}`)) places.add(`${id}.${at + 1}`);
  }
  const nameOf = (typeId: number): string => {
    const type = byId.get(typeId);
    if (type?.element) return `${nameOf(type.element)}[]`;
    return NAMES[type?.name ?? ''] ?? OTHER;
  };
  return { nameOf, isRequired: (table, column) => places.has(`${table}.${column}`) };
}
