// Generated from forget.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly forgetActors: Statement<Record<never, never>>;
  readonly forgetGroups: Statement<Record<never, never>>;
  readonly forgetOpen: Statement<Record<never, never>>;
}>(new URL('./forget.sql', import.meta.url));
