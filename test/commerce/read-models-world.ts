import type { RecordedEvent } from '../../src/platform/event-log/index.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { wantedTypes } from '../../src/platform/projector/projector.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { LoopbackHub } from './loopback-hub.js';
import { type CommerceOnTest, openCommerce } from './with-commerce.js';

type Rows = Record<string, Record<string, unknown>[]>;

/** The read models of orders, customers, products and transfers on a database of their own. */
export type ReadModelsOnTest = Awaited<ReturnType<typeof openReadModels>>;

export async function openReadModels() {
  const on: CommerceOnTest = await openCommerce();
  /** Hears what is published. */
  const hub = new LoopbackHub();
  const projectors = createCommerceReadModels({ wakeUps: hub }).filter(
    ({ name }) => name !== 'account-summary',
  );
  const tables = projectors.flatMap((projector) => projector.tables ?? []);

  async function apply(tx: Queryable, events: readonly RecordedEvent[]): Promise<void> {
    for (const projector of projectors) {
      const wanted = wantedTypes(projector);
      const batch = events.filter(({ type }) => wanted?.includes(type) ?? true).map(on.log.upcast);
      if (batch.length > 0) await (await projector.apply(batch, tx))?.();
    }
  }

  async function rowsOf(tx: Queryable): Promise<Rows> {
    const all: Rows = {};
    for (const table of tables) all[table] = (await tx.query(`SELECT * FROM ${table} ORDER BY 1`)).rows;
    return all;
  }

  /** What the read models hold after some work that leaves no trace. */
  async function rowsAfter(work: (tx: Queryable) => Promise<void>): Promise<Rows> {
    const undo = new Error('undo');
    let rows: Rows = {};
    await on.postgres
      .transaction(async (tx) => {
        await work(tx);
        rows = await rowsOf(tx);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return rows;
  }

  return { on, hub, projectors, tables, apply, rowsOf, rowsAfter };
}
