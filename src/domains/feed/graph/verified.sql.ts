// Generated from verified.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly setVerified: Statement<Record<never, never>>;
}>(new URL('./verified.sql', import.meta.url));
