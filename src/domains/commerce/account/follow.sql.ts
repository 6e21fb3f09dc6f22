// Generated from follow.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly accountVersion: Statement<{
    readonly version: number;
  }>;
  readonly accountAt: Statement<{
    readonly account_id: string;
    readonly owner_id: string;
    readonly status: string;
    readonly currency: string;
    readonly version: number;
    readonly transactions: unknown | null;
    readonly balance: string | null;
  }>;
}>(new URL('./follow.sql', import.meta.url));
