// Generated from products.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readProduct: Statement<{
    readonly productId: string;
    readonly name: string;
    readonly unitPrice: string;
    readonly inStock: number;
    readonly reserved: number;
    readonly version: number;
  }>;
  readonly pageProducts: Statement<{
    readonly productId: string;
    readonly name: string;
    readonly unitPrice: string;
    readonly inStock: number;
    readonly reserved: number;
    readonly version: number;
  }>;
  readonly pageProductsBack: Statement<{
    readonly productId: string;
    readonly name: string;
    readonly unitPrice: string;
    readonly inStock: number;
    readonly reserved: number;
    readonly version: number;
  }>;
  readonly readStoredProducts: Statement<{
    readonly productId: string;
    readonly name: string;
    readonly unitPrice: string;
    readonly inStock: number;
    readonly reserved: number;
    readonly version: number;
    readonly lastEventPosition: number;
  }>;
  readonly writeProducts: Statement<Record<never, never>>;
}>(new URL('./products.sql', import.meta.url));
