import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { loadProduct } from '../../../harness/product.ts';
import { eventOf } from '../streams.ts';
import type { OpenLoader } from './loader.ts';

const aCommand = 200;

/** Emmett's `aggregateStream`, which has no snapshots: all of the stream, folded by the product's own `evolve`. */
export const emmett: OpenLoader = async (databaseUrl) => {
  const { evolve, unknownAccount } = await loadProduct<
    typeof import('../../../../src/domains/commerce/account/state.js')
  >('domains/commerce/account/state.js');
  type State = ReturnType<typeof evolve>;
  type AccountEvent = Parameters<typeof evolve>[1];
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const store = getPostgreSQLEventStore(databaseUrl, { connectionOptions: { pool } });
  await store.schema.migrate();
  return {
    async fill(stream) {
      for (let from = 0; from < stream.events; from += aCommand) {
        const count = Math.min(aCommand, stream.events - from);
        const events = Array.from({ length: count }, (_, n) => eventOf(stream, from + n));
        await store.appendToStream(`Account-${stream.accountId}`, events);
      }
    },
    async load({ accountId }) {
      const { state } = await store.aggregateStream<State, AccountEvent>(`Account-${accountId}`, {
        evolve: (state: State, { type, data }: AccountEvent) => evolve(state, { type, data } as AccountEvent),
        initialState: () => unknownAccount,
      });
      if (state.status === 'UNKNOWN') throw new Error(`${accountId} is not there`);
      return state.balance;
    },
    async close() {
      await store.close();
      if (!pool.ended) await pool.end();
    },
  };
};
