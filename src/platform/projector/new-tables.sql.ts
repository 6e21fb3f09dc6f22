// Generated from new-tables.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly liveSchema: Statement<{
    readonly schema: string;
  }>;
  readonly describeTables: Statement<{
    readonly statement: string;
    readonly late: boolean;
    readonly shape: string;
  }>;
}>(new URL('./new-tables.sql', import.meta.url));
