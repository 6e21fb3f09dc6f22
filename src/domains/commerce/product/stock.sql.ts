// Generated from stock.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readStock: Statement<{
    readonly name: string;
    readonly unit_price: string;
    readonly on_hand: number;
    readonly reserved: number;
  }>;
}>(new URL('./stock.sql', import.meta.url));
