import { availableParallelism } from 'node:os';
import { isExpectedVersionConflictError } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import type { StoreKind } from './store.ts';

/**
 * Connections for each core, all processes together. Of 4, 8, 16, 32 and 64 connections, 8 were the fastest for
 * 64 writers on two cores: with more of them hot streams conflict more, and nothing else gains.
 */
const connectionsPerCore = 4;

/** Emmett's event store on Postgres, appending through its public API. */
export const emmett: StoreKind = {
  name: 'emmett',
  table: 'emt_messages',
  firstPosition: 1,
  gapless: false,
  async migrate(databaseUrl) {
    const store = getPostgreSQLEventStore(databaseUrl);
    await store.schema.migrate();
    await store.close();
  },
  async open(databaseUrl, { writers, processes }) {
    const max = Math.ceil(Math.min(writers, connectionsPerCore * availableParallelism()) / processes);
    const pool = new pg.Pool({ connectionString: databaseUrl, max });
    const store = getPostgreSQLEventStore(databaseUrl, {
      schema: { autoMigration: 'None' },
      connectionOptions: { pool },
    });
    return {
      async append({ streamId, type, data, commandId }) {
        const metadata = { correlationId: commandId, causationId: commandId };
        try {
          await store.appendToStream(streamId, [{ type, data, metadata }]);
          return 'stored';
        } catch (error) {
          if (isExpectedVersionConflictError(error)) return 'conflict';
          throw error;
        }
      },
      async close() {
        await store.close();
        if (!pool.ended) await pool.end();
      },
    };
  },
};
