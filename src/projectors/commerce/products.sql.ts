// Generated from products.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readProducts: Statement<{
    readonly product_id: string;
    readonly name: string;
    readonly unit_price: string;
    readonly on_hand: number;
    readonly reserved: number;
    readonly version: number;
    readonly last_event_position: number;
  }>;
  readonly writeProducts: Statement<Record<never, never>>;
}>(new URL('./products.sql', import.meta.url));
