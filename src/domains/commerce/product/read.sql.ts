// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readProduct: Statement<{
    readonly product_id: string;
    readonly name: string;
    readonly unit_price: string;
    readonly on_hand: number;
    readonly reserved: number;
    readonly version: number;
  }>;
  readonly pageProducts: Statement<{
    readonly product_id: string;
    readonly name: string;
    readonly unit_price: string;
    readonly on_hand: number;
    readonly reserved: number;
    readonly version: number;
  }>;
  readonly pageProductsBack: Statement<{
    readonly product_id: string;
    readonly name: string;
    readonly unit_price: string;
    readonly on_hand: number;
    readonly reserved: number;
    readonly version: number;
  }>;
}>(new URL('./read.sql', import.meta.url));
