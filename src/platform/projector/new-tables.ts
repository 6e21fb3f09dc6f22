import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { Queryable } from '../postgres/postgres.js';
import { sql } from './new-tables.sql.js';
import type { Projector } from './projector.js';

const quote = pg.escapeIdentifier;

/** Tables that a rebuild fills while nobody reads them. */
export type NewTables = Awaited<ReturnType<typeof makeNewTables>>;

/** Removes what a rebuild that came to nothing left. */
export async function dropNewTables(on: Queryable, projector: Projector): Promise<void> {
  await on.query(`DROP SCHEMA IF EXISTS ${quote(schemaOf(projector))} CASCADE`);
}

/**
 * Makes empty copies of the projector's tables in a schema of their own, with the keys that `apply` finds rows by but no other index. From now on a table named without a schema
 * means, on this connection, the copy where there is one.
 */
export async function makeNewTables(on: Queryable, projector: Projector) {
  const tables = projector.tables!.map(quote);
  const next = quote(schemaOf(projector));
  await on.query('BEGIN');
  await dropNewTables(on, projector);
  const { rows } = await on.query(sql.liveSchema);
  const live = quote(rows[0]!.schema);
  const describe = async () =>
    (await on.query(sql.describeTables, [projector.tables, projector.onlyAddedTo ?? []])).rows;
  const steps = await describe();
  await on.query(`CREATE SCHEMA ${next}`);
  await on.query(`SET search_path = ${next}, ${live}`);
  for (const { statement, late } of steps) if (!late) await on.query(statement);
  await on.query('COMMIT');

  const within = (schema: string) => tables.map((table) => `${schema}.${table}`).join(', ');
  return {
    /** Builds the indexes that nobody needs to fill them, and has the planner's statistics made. */
    async finish(): Promise<void> {
      for (const { statement, late } of steps) if (late) await on.query(statement);
      await on.query(`ANALYZE ${within(next)}`);
    },
    /**
     * Puts them in the place of the live ones, in the transaction under way, whose `lock_timeout` bounds the wait.
     *
     * @throws where a migration altered the live ones since they were copied
     */
    async takeOver(): Promise<void> {
      await on.query(`LOCK TABLE ${within(next)}, ${within(live)} IN ACCESS EXCLUSIVE MODE`);
      await on.query(`SET LOCAL search_path = ${live}`);
      if (!isDeepStrictEqual(await describe(), steps)) throw new Error('its tables were altered meanwhile');
      for (const table of tables) {
        await on.query(`DROP TABLE ${live}.${table}`);
        await on.query(`ALTER TABLE ${next}.${table} SET SCHEMA ${live}`);
      }
      await on.query(`DROP SCHEMA ${next}`);
    },
  };
}

const schemaOf = ({ name }: Projector): string => `rebuild ${name}`;
