import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Stock } from './state.js';
import { sql } from './stock.sql.js';

/** A row of `product_stock`. */
export interface StockRow {
  readonly name: string;
  /** Minor units as text. */
  readonly unit_price: string;
  readonly on_hand: number;
  readonly reserved: number;
}

/** The product, from the row that inline projections write. */
export async function readStock(postgres: Queryable, productId: string): Promise<Stock | null> {
  const { rows } = await postgres.query(sql.readStock, [productId]);
  return rows[0] ? toStock(rows[0]) : null;
}

export const toStock = (row: StockRow): Stock => ({
  name: row.name,
  unitPrice: BigInt(row.unit_price),
  onHand: row.on_hand,
  reserved: row.reserved,
});
