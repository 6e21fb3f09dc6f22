import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.js';
import { sql } from './read-versions.sql.js';
import type { Thing, ThingVersion } from './version-waits.js';

/** In the order of the statement's parameters. */
const kinds = ['account', 'order', 'customer', 'product', 'transfer', 'projector'] as const;
const versionRows = z.array(z.object({ kind: z.enum(kinds), id: z.string(), version: z.int() }));

/** The versions that the read models have of those things that there are, in one statement. */
export async function readVersions(
  postgres: Queryable,
  things: readonly Thing[],
): Promise<readonly ThingVersion[]> {
  const idsByKind = Map.groupBy(things, ({ kind }) => kind);
  const { rows } = await postgres.query(
    sql.readVersions,
    kinds.map((kind) => idsByKind.get(kind)?.map(({ id }) => id) ?? []),
  );
  return versionRows.parse(rows);
}
