// Generated from facts.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readPlacingFacts: Statement<{
    readonly customers: Readonly<Record<string, import('./facts.js').CreditRow>>;
    readonly products: Readonly<Record<string, import('../product/stock.js').StockRow>>;
    readonly taken: string[];
  }>;
}>(new URL('./facts.sql', import.meta.url));
