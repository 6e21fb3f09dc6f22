// Generated from settings.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockSettings: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly settingsOf: Statement<{
    readonly quietHoursStart: string | null;
    readonly quietHoursEnd: string | null;
    readonly timezone: string;
    readonly language: string | null;
    readonly marketingOptIn: boolean;
    readonly digestFrequency: import('./settings.js').DigestFrequency;
    readonly email: string | null;
    readonly phone: string | null;
    readonly updatedAt: Date | null;
  }>;
  readonly putSettings: Statement<Record<never, never>>;
}>(new URL('./settings.sql', import.meta.url));
