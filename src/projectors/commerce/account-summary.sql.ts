// Generated from account-summary.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly foldAccounts: Statement<{
    readonly accountId: string;
    readonly version: number;
  }>;
}>(new URL('./account-summary.sql', import.meta.url));
