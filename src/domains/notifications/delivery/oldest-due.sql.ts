// Generated from oldest-due.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly oldestDue: Statement<{
    readonly dueAt: Date;
  }>;
}>(new URL('./oldest-due.sql', import.meta.url));
