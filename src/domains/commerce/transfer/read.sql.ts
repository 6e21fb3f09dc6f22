// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readTransfer: Statement<{
    readonly transfer_id: string;
    readonly from_account_id: string;
    readonly to_account_id: string;
    readonly owner_id: string;
    readonly amount: string;
    readonly currency: string;
    readonly description: string | null;
    readonly status: string;
    readonly reason: string | null;
    readonly version: number;
  }>;
}>(new URL('./read.sql', import.meta.url));
