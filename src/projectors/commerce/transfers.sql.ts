// Generated from transfers.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres.js';

export const sql = loadStatements<{
  readonly writeTransfers: Statement<{
    readonly transfer_id: string;
    readonly version: number;
  }>;
}>(new URL('./transfers.sql', import.meta.url));
