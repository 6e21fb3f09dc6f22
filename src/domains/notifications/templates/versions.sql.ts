// Generated from versions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lock: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly deactivate: Statement<Record<never, never>>;
  readonly setActive: Statement<Record<never, never>>;
  readonly isActive: Statement<{
    readonly isActive: boolean;
  }>;
}>(new URL('./versions.sql', import.meta.url));
