// Generated from celebrities.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly settle: Statement<{
    readonly user_id: string;
  }>;
}>(new URL('./celebrities.sql', import.meta.url));
