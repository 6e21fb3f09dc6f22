// Generated from rollups.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly add: Statement<Record<never, never>>;
  readonly addOfCampaigns: Statement<Record<never, never>>;
  readonly clear: Statement<Record<never, never>>;
  readonly rows: Statement<{
    readonly row: import('./rollups.js').RollupRow;
  }>;
  readonly stopReadingMinutes: Statement<Record<never, never>>;
  readonly forgetMinutes: Statement<{
    readonly found: number;
    readonly lastAt: Date | null;
  }>;
}>(new URL('./rollups.sql', import.meta.url));
