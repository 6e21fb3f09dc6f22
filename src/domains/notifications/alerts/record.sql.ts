// Generated from record.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockChanges: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly raise: Statement<{
    readonly alertId: string;
  }>;
  readonly resolve: Statement<{
    readonly alertId: string;
  }>;
}>(new URL('./record.sql', import.meta.url));
