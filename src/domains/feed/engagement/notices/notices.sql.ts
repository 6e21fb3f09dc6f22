// Generated from notices.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly wanted: Statement<{
    readonly n: number;
  }>;
}>(new URL('./notices.sql', import.meta.url));
