// Generated from save.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly insert: Statement<{
    readonly version: number;
  }>;
}>(new URL('./save.sql', import.meta.url));
