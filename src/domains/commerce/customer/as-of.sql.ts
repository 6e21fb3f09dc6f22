// Generated from as-of.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly owedForOrders: Statement<{
    readonly owed: string;
  }>;
  readonly ordersOf: Statement<{
    readonly orderId: string;
  }>;
}>(new URL('./as-of.sql', import.meta.url));
