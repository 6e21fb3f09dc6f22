// Generated from channel-preferences.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockPreferences: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly putPreferences: Statement<Record<never, never>>;
}>(new URL('./channel-preferences.sql', import.meta.url));
