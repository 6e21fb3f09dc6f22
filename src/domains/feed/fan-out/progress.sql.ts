// Generated from progress.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly progress: Statement<Record<never, never>>;
}>(new URL('./progress.sql', import.meta.url));
