// Generated from forget-commands.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly forgetCommands: Statement<Record<never, never>>;
}>(new URL('./forget-commands.sql', import.meta.url));
