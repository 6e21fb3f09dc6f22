// Generated from batches.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly openSince: Statement<{
    readonly deliveryId: string;
    readonly failedAt: Date;
  }>;
}>(new URL('./batches.sql', import.meta.url));
