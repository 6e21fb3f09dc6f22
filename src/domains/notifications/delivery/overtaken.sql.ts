// Generated from overtaken.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockCalled: Statement<{
    readonly status: import('../types.js').DeliveryStatus;
    readonly earlyReports: unknown;
  }>;
  readonly lockLease: Statement<{
    readonly isClaimed: boolean | null;
  }>;
  readonly keepAnswer: Statement<Record<never, never>>;
}>(new URL('./overtaken.sql', import.meta.url));
