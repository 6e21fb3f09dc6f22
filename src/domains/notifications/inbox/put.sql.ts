// Generated from put.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly put: Statement<{
    readonly put_inbox_items: string | null;
  }>;
}>(new URL('./put.sql', import.meta.url));
