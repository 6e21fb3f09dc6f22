// Generated from cancel.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockUnsent: Statement<{
    readonly deliveryId: string;
    readonly attempt: number;
    readonly isGathered: boolean;
  }>;
  readonly markCancelled: Statement<Record<never, never>>;
}>(new URL('./cancel.sql', import.meta.url));
