// Generated from rebuild-progress.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly noteStart: Statement<Record<never, never>>;
  readonly noteProgress: Statement<Record<never, never>>;
}>(new URL('./rebuild-progress.sql', import.meta.url));
