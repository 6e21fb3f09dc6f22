// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readAccount: Statement<{
    readonly account_id: string;
    readonly owner_id: string;
    readonly status: string;
    readonly balance: string | null;
    readonly currency: string;
    readonly version: number;
    readonly transactions: unknown | null;
  }>;
  readonly readAccountsAfter: Statement<{
    readonly account_id: string;
    readonly owner_id: string;
    readonly status: string;
    readonly balance: string | null;
    readonly currency: string;
    readonly version: number;
    readonly transactions: unknown | null;
  }>;
  readonly readAccountsBefore: Statement<{
    readonly account_id: string;
    readonly owner_id: string;
    readonly status: string;
    readonly balance: string | null;
    readonly currency: string;
    readonly version: number;
    readonly transactions: unknown | null;
  }>;
}>(new URL('./read.sql', import.meta.url));
