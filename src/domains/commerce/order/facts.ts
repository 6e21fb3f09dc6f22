import DataLoader from 'dataloader';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { Credit } from '../customer/credit.js';
import { toStock } from '../product/stock.js';
import { orderStream } from './events.js';
import { sql } from './facts.sql.js';
import type { PlaceOrder, PlacingFacts } from './place.js';

const MOST_AT_ONCE = 200;

type Wanted = Pick<PlaceOrder, 'orderId' | 'customerId' | 'lines'>;

/** Minor units as text. */
export interface CreditRow {
  readonly user_id: string;
  readonly is_active: boolean;
  readonly credit_limit: string;
  readonly outstanding: string;
}

/** Reads what an order depends on, from the rows that inline projections write. */
export type ReadFacts = (wanted: Wanted) => Promise<PlacingFacts>;

/** Orders that ask at the same time share one statement. */
export function createFactsReader(postgres: Queryable): ReadFacts {
  const reader = new DataLoader((batch: readonly Wanted[]) => forEverybody(() => readAll(postgres, batch)), {
    cache: false,
    maxBatchSize: MOST_AT_ONCE,
  });
  return (wanted) => reader.load(wanted);
}

async function readAll(postgres: Queryable, batch: readonly Wanted[]): Promise<PlacingFacts[]> {
  const { rows } = await postgres.query(sql.readPlacingFacts, [
    unique(batch.map(({ customerId }) => customerId)),
    unique(batch.flatMap(({ lines }) => lines.map(({ productId }) => productId))),
    batch.map(({ orderId }) => orderStream(orderId)),
  ]);
  const { customers, products, taken } = rows[0]!;
  const customerBy = new Map(Object.entries(customers).map(([id, row]) => [id, toCredit(row)]));
  const stocks = new Map(Object.entries(products).map(([id, row]) => [id, toStock(row)]));
  const takenStreams = new Set(taken);
  return batch.map(({ orderId, customerId }) => ({
    customer: customerBy.get(customerId) ?? null,
    stocks,
    taken: takenStreams.has(orderStream(orderId)),
  }));
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

const toCredit = (row: CreditRow): Credit => ({
  userId: row.user_id,
  isActive: row.is_active,
  creditLimit: BigInt(row.credit_limit),
  outstanding: BigInt(row.outstanding),
});
