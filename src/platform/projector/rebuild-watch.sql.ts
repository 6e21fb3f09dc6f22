// Generated from rebuild-watch.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly readRequest: Statement<Record<never, never>>;
}>(new URL('./rebuild-watch.sql', import.meta.url));
