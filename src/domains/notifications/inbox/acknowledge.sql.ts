// Generated from acknowledge.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly owedBetween: Statement<{
    readonly deliveryId: string;
    readonly change: number;
    readonly owed: 'delivered' | 'opened' | null;
  }>;
}>(new URL('./acknowledge.sql', import.meta.url));
