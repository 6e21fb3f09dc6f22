// Generated from as-of.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly owedForOrders: Statement<{
    readonly owed: string;
    readonly is_settled: boolean;
    readonly unsure: string[];
    readonly orders: number;
  }>;
}>(new URL('./as-of.sql', import.meta.url));
